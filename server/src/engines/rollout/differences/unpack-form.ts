import { readFile, writeFile } from 'node:fs/promises';
import { planHeader, planText } from '@mooring/contract/app/entries-diff';
import { unpackedBase, unpackForDiff } from '@mooring/contract/app/repack';
import { compress, LEVEL } from './make-difference.ts';

/** Of large packages, unpacked, little is left to be sent: a fifth less of that isn't worth twenty times as long (docs/bench.md, P21). */
const LARGE = 32 * 1024 * 1024;
const OF_LARGE = 12;

interface UnpackedForm {
  /** What stands before the difference. */
  readonly head: Uint8Array;
  readonly level: number;
}

/** Puts both packages unpacked in their places, or answers nothing where no file of the new one is packed again to the same bytes. */
export async function unpackForm(base: string, full: string): Promise<UnpackedForm | undefined> {
  const made = await unpackFull(full);
  if (made) await writeFile(base, unpackedBase(await readFile(base)));
  return made;
}

/** The new package is out of memory before the base comes into it. */
async function unpackFull(full: string): Promise<UnpackedForm | undefined> {
  const { image, plan } = unpackForDiff(await readFile(full));
  if (plan.length <= 1) return undefined;
  await writeFile(full, image);
  return { head: planHeader(await compress(planText(image.length, plan))), level: image.length > LARGE ? OF_LARGE : LEVEL };
}
