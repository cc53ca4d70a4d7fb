import { Readable } from 'node:stream';
import { diskStore } from '../../platform/files/disk-store.ts';
import { diskStaging } from '../../platform/files/staging.ts';
import { spaceFault } from './check-kind.ts';

// Run by the test under a limit on the size of files: what the stores say and leave.
const [blobs = '', uploads = ''] = process.argv.slice(2);
const blocks = Array.from({ length: 40 }, () => Buffer.alloc(100_000, 7));
const bytes = () => Readable.from(blocks);
const said: string[] = [];
for (const put of [
  () => diskStore(blobs).put(bytes()),
  () => diskStaging(uploads).put(1, { number: 1, md5: 'x', at: 0, size: 4_000_000 }, blocks),
])
  await put().then(
    () => said.push('stored'),
    (error: unknown) => said.push(String((spaceFault(error) as { fault?: string }).fault)),
  );
process.stdout.write(JSON.stringify(said));
