import { readFileSync, writeFileSync } from 'node:fs';
import type { AppContext } from '@mooring/server/platform/app-context';
import { checkChain } from '@mooring/server/platform/audit/check-chain';
import { Exported, exportHeads, readHeads } from '@mooring/server/platform/audit/heads';
import { adoptAudit, sealAudit } from '@mooring/server/platform/audit/seal-chain';
import { sealKeys } from '@mooring/server/platform/audit/seal-keys';
import { readTip } from '@mooring/server/platform/audit/seal-tip';
import { withApp } from '@mooring/server/platform/command-app';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

const said = {
  changed: 'rows were changed',
  missing: 'rows are missing',
  unsealed: 'rows were put in without a seal',
  head: 'rows are not those that were signed',
  begin: 'rows at the beginning were taken away, and not by their age',
  heads: 'daily signatures are missing or were changed',
  foreign: 'a signature in the file is not of this installation',
  unproved: 'rows were here before the first signature, and are unproved until you adopt them',
};

async function verify(app: AppContext, file: string | undefined): Promise<void> {
  const exported = file
    ? Exported.parse(JSON.parse(readFileSync(file, 'utf8'))).heads.map(({ signed, signature }) => ({
        signed,
        signature: Buffer.from(signature, 'base64'),
      }))
    : [];
  await sealAudit(app);
  const tip = readTip(app.config.DATA_DIR);
  const report = await app.unscoped((db) => checkChain(db, { keys: sealKeys(app.masterKey), tip, exported }));
  console.log(`${report.rows} rows from ${report.from ?? '-'} to ${report.to ?? '-'}, ${report.heads} daily signatures.`);
  console.log(`Sealed with a key since ${report.sealedFrom ?? '-'}. Can be trusted up to ${report.trustedTo ?? '-'}.`);
  for (const { kind, from, to, fromId, toId } of report.bad)
    console.log(`${said[kind]}: ${from} to ${to}${fromId === null ? '' : ` (row ids ${fromId} to ${toId})`}`);
  if (report.more > 0) console.log(`and ${report.more} further places`);
  if (report.bad.length > 0) throw new Error("The audit log isn't intact.");
}

async function heads(app: AppContext, file: string | undefined): Promise<void> {
  const text = `${JSON.stringify(exportHeads(sealKeys(app.masterKey), await app.unscoped(readHeads)), null, 2)}\n`;
  if (!file) return void process.stdout.write(text);
  writeFileSync(file, text);
  console.error(`${file} holds the daily signatures: keep it away from the server.`);
}

async function adopt(app: AppContext): Promise<void> {
  const to = await adoptAudit(app);
  console.log(
    to > 0 ? `Rows up to seal number ${to} are adopted and signed, in your name: the log says so.` : 'There is nothing to adopt.',
  );
}

const acts: Readonly<Record<string, (app: AppContext, file: string | undefined) => Promise<void>>> = { verify, signatures: heads, adopt };

await orSay(async () => {
  const { names, values } = commandOf('audit-log');
  await withInstallation({ mayRun: true }, (installation) =>
    withApp(installation, async (app) => acts[names[0] ?? '']?.(app, values.file)),
  );
});
