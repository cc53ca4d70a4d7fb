import { setTimeout as sleep } from 'node:timers/promises';
import { fileCalls, type UploadedFile } from '@mooring/contract/file/calls';
import { md5, sha256 } from './bytes.ts';
import type { World } from './world/world.ts';

const AGAIN_MS = 400;

/** An upload in parts that goes on after each failure, until the file is there or nobody wants it any more. */
export async function upload(
  { console, partBytes }: Pick<World, 'console' | 'partBytes'>,
  name: string,
  bytes: Buffer,
  { fileType = '5', wanted = () => true }: { readonly fileType?: string; readonly wanted?: () => boolean } = {},
): Promise<UploadedFile | undefined> {
  const which = { identifier: md5(bytes), fileType };
  const about = { ...which, fileName: name, size: bytes.length, totalPartSize: Math.ceil(bytes.length / partBytes) };
  const digest = sha256(bytes);
  while (wanted()) {
    const begun = await console.call(fileCalls.initMultipartUpload, { ...about, sha256: digest });
    // Refused for good: `console.wrong` has it.
    if (!begun.ok && console.wrong.length > 0) return undefined;
    if (!begun.ok) {
      await sleep(AGAIN_MS);
      continue;
    }
    if (begun.body.uploadfileDTO) return begun.body.uploadfileDTO;
    const here = new Set(begun.body.partList.map((part) => part.partNumber));
    for (let number = 1; number <= about.totalPartSize && wanted(); number += 1) {
      if (here.has(number)) continue;
      const part = bytes.subarray((number - 1) * partBytes, number * partBytes);
      const form = new FormData();
      form.append('req', JSON.stringify({ ...about, partNumber: number, curPartSize: part.length, md5: md5(part) }));
      form.append('file', new Blob([Uint8Array.from(part)]), 'blob');
      if ((await console.send(fileCalls.uploadPart, form)).ok) here.add(number);
      else break;
    }
    if (here.size === about.totalPartSize) {
      await console.call(fileCalls.transferUpload, which);
      // Put together in the background.
      for (let state = 'assembling'; state === 'assembling' && wanted(); ) {
        await sleep(AGAIN_MS);
        const check = await console.call(fileCalls.transferCheck, which);
        if (!check.ok) continue;
        state = check.body.state;
        if (check.body.uploadfileDTO) return check.body.uploadfileDTO;
      }
    }
    await sleep(AGAIN_MS);
  }
  return undefined;
}
