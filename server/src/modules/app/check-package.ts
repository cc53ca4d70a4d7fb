import type { ReadPackage } from '@mooring/apk/api';
import { neededAndroid } from '@mooring/contract/app/needed-android';
import { AppPackage } from '@mooring/contract/device/manifest';
import { Fault } from '@mooring/contract/kit/fault';

type Params = Readonly<Record<string, string | number>>;
/** Said at the field of the package. */
export const refused = (name: string, params: Params = {}, field = 'fileId'): Fault =>
  new Fault(name, { fields: { [field]: `fault.${name}` }, params: { ...params } });

type Info = Pick<ReadPackage['info'], 'debuggable' | 'testOnly'>;
/** What no shop's terminal should get. */
export const isForTests = ({ debuggable, testOnly }: Info, publicTestKey: boolean): boolean => debuggable || testOnly || publicTestKey;

/** What a package has to be by itself, whichever app it is of. */
export function checkPackage({ info, signature }: ReadPackage, channel: string, say: (key: string) => string): void {
  // `android` is one by its manifest, and no app's: it could be neither released nor removed.
  if (!AppPackage.safeParse(info.packageName).success)
    throw new Fault('PACKAGE_UNREADABLE', { fields: { fileId: 'app.rule.MANIFEST_NAME' }, params: { rule: 'MANIFEST_NAME' } });
  if (signature.signers > 1) throw refused('APP_SIGNERS', { signers: signature.signers });
  if (signature.wrong !== null) throw refused('APP_SIGNATURE', { rule: say(`app.signature.${signature.wrong}`) });
  if (signature.signers !== 1 || !signature.certificate || signature.validFrom === null)
    throw refused('APP_SIGNERS', { signers: signature.signers });
  if (channel === 'release' && isForTests(info, signature.publicTestKey)) throw refused('APP_TEST_ONLY');
}

export interface Listed {
  readonly version_code: number;
  readonly certificate_sha256: string;
}
interface Following extends Listed {
  readonly lineage: readonly string[];
}

/** What follows the versions that terminals may have, the newest of them first: they take no lower one, and none of a key that theirs didn't lead to. */
export function checkFollows(version: Following, listed: readonly Listed[], field = 'fileId'): void {
  const [newest] = listed;
  if (!newest) return;
  const { version_code: code } = version;
  if (code <= newest.version_code) throw refused('APP_CODE_LOW', { code, listed: newest.version_code }, field);
  const known = [version.certificate_sha256, ...version.lineage];
  if (listed.some(({ certificate_sha256: before }) => !known.includes(before))) throw refused('APP_CERTIFICATE', {}, field);
}

interface Android {
  readonly name: string;
  readonly android_sdk: number | null;
}
/** Products whose Android is known and too old for the package or its signature. */
export function checkAndroid(
  version: { readonly min_sdk: number; readonly valid_from: number },
  products: readonly Android[],
  field: string,
): void {
  const needs = neededAndroid({ minSdk: version.min_sdk, validFrom: version.valid_from });
  const old = products.find(({ android_sdk: has }) => has !== null && has < needs);
  if (old) throw refused('APP_ANDROID', { needs, product: old.name, has: old.android_sdk ?? 0 }, field);
}

/** What a processor runs besides its own: whatever runs armeabi-v7a runs the older armeabi too. */
const runs = (abi: string): readonly string[] => (abi === 'armeabi-v7a' ? [abi, 'armeabi'] : [abi]);
/** Products whose processors are known, and for none of which the package carries its native code; one without native code runs on all. */
export function checkProcessors(
  { abis }: { readonly abis: readonly string[] },
  products: readonly { readonly name: string; readonly abis: readonly string[] }[],
  field: string,
): void {
  if (abis.length === 0) return;
  const other = products.find(({ abis: has }) => has.length > 0 && !has.flatMap(runs).some((one) => abis.includes(one)));
  if (other) throw refused('APP_ABI', { abis: abis.join(', '), product: other.name, has: other.abis.join(', ') }, field);
}
