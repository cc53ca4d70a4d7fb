import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completed, type LockFile, missingFromLock } from './guards/lock-file.ts';
import { root } from './suite/processes.ts';

// After a package was added where the registry does not carry the packages of every machine: node tools/run.mjs lock
const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile;
const missing = missingFromLock(lock);
writeFileSync(file, `${JSON.stringify(completed(lock), null, 2)}\n`);
console.log(`${missing.length} entries added.`);
