import { texts } from '../kit/texts.ts';

/** Of signatures that stand beside a file. */
export const verifyTexts = texts({
  'verify.where': ['Signature', '签名位置'],
  'verify.where.inside': ['Inside the file', '文件内'],
  'verify.where.beside': ['Detached (.p7s)', '分离签名（.p7s）'],
  'verify.beside.about': [
    'Upload a file and choose the signature beside it (CMS). You see who signed, when, and whether it’s these bytes. Nothing is kept.',
    '上传文件并选择其分离签名（CMS），查看签名者、签名时间及文件是否一致。不会保留任何内容。',
  ],
  'verify.beside.file': ['Detached signature', '分离签名'],
  'verify.beside.chosen': ['Isn’t kept', '不会保留'],
  'verify.beside.large': ['A signature has at most 300 KB.', '签名文件最大 300 KB。'],
  'verify.beside.good': ['Signed by this certificate, and unchanged since', '由此证书签名，此后未更改'],
  'verify.beside.wrong.BYTES_DIFFER': ['The file isn’t the one that was signed', '文件与签名时不一致'],
  'verify.beside.wrong.SIGNATURE_WRONG': ['The signature isn’t by the key of the certificate that it names', '签名与其所列证书的密钥不符'],
  'verify.beside.signedAt': ['Signed, as the signer says', '签名时间（签名者声明）'],
  'verify.beside.stamp': ['Time stamp', '时间戳'],
  'verify.beside.stamp.known': ['{at}, by {by}', '{at}，由 {by} 签发'],
  'verify.beside.stamp.unknown': [
    '{at}, by {by}, whose root no profile of yours names',
    '{at}，由 {by} 签发，但您的签名方案均未列出其根证书',
  ],
  'verify.beside.stamp.wrong': ['Not valid for this signature', '对此签名无效'],
  'verify.beside.chain': ['Certificates', '证书链'],
  'verify.beside.ends': ['Chain ends', '证书链终点'],
  'verify.beside.ends.root': [
    'At a root that came with the signature, which alone proves nothing',
    '随签名附带的根证书（其本身不构成证明）',
  ],
  'verify.beside.ends.self': ['At the signer, who certifies itself', '签名者自签名'],
  'verify.beside.ends.open': ['Before an issuer that didn’t come along', '未随附的颁发者之前'],
  'verify.beside.invalid': ['One of the certificates isn’t valid at {at}.', '{at} 时其中有证书不在有效期内。'],
  'verify.beside.ownClock': [
    'Valid by the signer’s own clock ({signed}) alone; not valid at {at}. No known time stamp says when it was signed.',
    '仅按签名者自己的时钟（{signed}）有效；{at} 时不在有效期内。没有已知的时间戳证明签名时间。',
  ],
  'verify.beside.clock.future': ['The signer says a time that hasn’t come yet.', '签名者声明的时间尚未到来。'],
  'verify.beside.clock.afterStamp': ['The signer says a time later than the time stamp.', '签名者声明的时间晚于时间戳。'],
  'verify.beside.unvouched': [
    'No key of yours and no profile vouches for this certificate: anyone can make one with any name.',
    '您的密钥和签名方案均不能证明此证书：任何人都可以任意名称制作证书。',
  ],
  'verify.beside.unrevoked': ['Whether a certificate was revoked isn’t checked.', '不检查证书是否已被吊销。'],
  'verify.ours.suspended': ['The key is suspended.', '该密钥已暂停。'],
  'verify.ours.retired': ['The key is retired: it no longer signs.', '该密钥已停用，不再签名。'],
  'verify.ours.destroyed': ['The key was destroyed.', '该密钥已销毁。'],
  'verify.beside.profile': ['Vouched for by profile', '证明此证书的签名方案'],
  'verify.beside.digest': ['Checksum', '摘要算法'],
  'fault.SIGNATURE_LARGE': ['A signature has at most 300 KB.', '签名文件最大 300 KB。'],
  'fault.SIGNATURE_UNREAD': ['It isn’t a CMS signature (.p7s), or it’s damaged.', '不是 CMS 签名（.p7s），或文件已损坏。'],
  'fault.SIGNATURE_WITHIN': ['This one contains what it signs. Choose a detached signature.', '此签名包含被签名内容，请选择分离签名。'],
  'fault.SIGNATURE_SIGNERS': ['A signature of exactly one signer can be verified.', '仅可验证单个签名者的签名。'],
  'fault.SIGNATURE_NO_CERTIFICATE': [
    'The signer’s certificate isn’t in it. Have the signature made with certificates.',
    '其中没有签名者的证书，请生成包含证书的签名。',
  ],
  'fault.SIGNATURE_USAGE': ['The certificate of the signer isn’t made for signatures.', '签名者的证书不用于签名。'],
  'fault.SIGNATURE_ALGORITHM': [
    'Its algorithm isn’t supported: RSA or EC with SHA-256, SHA-384 or SHA-512 is.',
    '不支持其算法。支持 RSA 或 EC，配合 SHA-256、SHA-384 或 SHA-512。',
  ],
});
