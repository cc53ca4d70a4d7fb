import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inDatabase, startTestServer } from '../server/test/test-server.ts';
import { allGenerated } from './generated/all-generated.ts';
import { root } from './suite/processes.ts';

const server = await startTestServer();
try {
  const files = await allGenerated(inDatabase(server.url, server.template));
  // A lifecycle that went away takes its page with it.
  rmSync(join(root, 'docs', 'state-machines'), { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  console.log(`Generated ${files.size} files.`);
} finally {
  await server.stop();
}
