import com.android.apksig.ApkVerifier;
import java.io.File;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.StringJoiner;

/** What Android's own verifier says of each package named: a line of whether it holds, by which schemes, whose certificate, and what is wrong. One machine for all of them. */
class VerifyAll {
  public static void main(String[] paths) throws Exception {
    for (String path : paths) System.out.println(verdict(path));
  }

  private static String verdict(String path) throws Exception {
    try {
      var result = new ApkVerifier.Builder(new File(path)).build().verify();
      var schemes = new StringJoiner(",");
      if (result.isVerifiedUsingV1Scheme()) schemes.add("v1");
      if (result.isVerifiedUsingV2Scheme()) schemes.add("v2");
      if (result.isVerifiedUsingV3Scheme()) schemes.add("v3");
      var signers = result.getSignerCertificates();
      var digest = MessageDigest.getInstance("SHA-256");
      var sha256 = signers.isEmpty() ? "" : HexFormat.of().formatHex(digest.digest(signers.get(0).getEncoded()));
      return String.join("\t", String.valueOf(result.isVerified()), schemes.toString(), sha256, oneLine(result.getErrors()));
    } catch (Exception broken) {
      return String.join("\t", "false", "", "", oneLine(broken));
    }
  }

  private static String oneLine(Object said) {
    return String.valueOf(said).replaceAll("\\s+", " ");
  }
}
