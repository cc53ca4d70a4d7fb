import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import yazl from 'yazl';
import { z } from 'zod';
import { openZip } from './open-zip.ts';

const aboutEntry = 'about.json';
const sealedEntry = 'backup.age';
const About = z.object({ product: z.literal('mooring'), sealedFor: z.string(), madeAt: z.string() });

/** A key pair of one's own: what is backed up for its recipient is opened by its identity alone, which needn't be on the server. */
export async function newBackupKey(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateIdentity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/**
 * A backup in the age format (age-encryption.org), in an archive that says whose it is: the format itself doesn't. Nothing of it is readable on the
 * way to the disk.
 */
export async function sealFor(recipient: string, backup: Readable, madeAt: Date): Promise<Readable> {
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new Error(`${recipient} is no public key of the age format (age1…). npm run backup-key -- <file> makes one.`);
  }
  const outer = new yazl.ZipFile();
  const about: z.input<typeof About> = { product: 'mooring', sealedFor: recipient, madeAt: madeAt.toISOString() };
  outer.addBuffer(Buffer.from(JSON.stringify(about, null, 2)), aboutEntry);
  const sealed = Readable.fromWeb((await encrypter.encrypt(Readable.toWeb(backup) as ReadableStream<Uint8Array>)) as never);
  const out = outer.outputStream as unknown as Readable;
  sealed.once('error', (error) => out.destroy(error));
  outer.addReadStream(sealed, sealedEntry, { compress: false, forceZip64Format: true });
  outer.end();
  return out;
}

export interface Opened {
  readonly path: string;
  /** Takes the readable copy away. */
  close(): void;
}

/** A backup that can be read: the file itself, or what its identity opens. Without it, which one is needed. */
export async function openSealed(file: string, identityFile: string | undefined): Promise<Opened> {
  // What is no archive at all is refused by who reads it.
  const outer = await openZip(file).catch(() => undefined);
  const about = outer?.names.includes(aboutEntry) ? About.parse(JSON.parse(await text(await outer.open(aboutEntry)))) : undefined;
  if (!outer || !about) {
    outer?.close();
    return { path: file, close: () => {} };
  }
  const folder = mkdtempSync(join(tmpdir(), 'mooring-restore-'));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (!identityFile)
      throw new Error(`${file} of ${about.madeAt} is sealed for ${about.sealedFor}. Give the file with its key: --key <file>`);
    const path = join(folder, 'backup');
    await pipeline(await decrypted(await outer.open(sealedEntry), identityFile, about.sealedFor), createWriteStream(path, { mode: 0o600 }));
    return { path, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    outer.close();
  }
}

async function decrypted(sealed: Readable, identityFile: string, recipient: string): Promise<Readable> {
  const identities = readFileSync(identityFile, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'));
  const recipients = await Promise.all(identities.map((one) => identityToRecipient(one.trim())));
  if (!recipients.includes(recipient)) {
    sealed.destroy();
    throw new Error(
      `${identityFile} holds ${recipients.length > 0 ? `the key of ${recipients.join(', ')}` : 'no key'}, and the backup is sealed for ${recipient}.`,
    );
  }
  const decrypter = new Decrypter();
  for (const one of identities) decrypter.addIdentity(one.trim());
  return Readable.fromWeb((await decrypter.decrypt(Readable.toWeb(sealed) as ReadableStream<Uint8Array>)) as never);
}
