import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { loadMasterKey } from '@mooring/server/platform/config/master-key';
import { diskStore } from '@mooring/server/platform/files/disk-store';
import { fileUrl } from '@mooring/server/platform/gateway/file-token';
import { startNginx } from '../anchors/nginx.ts';
import { program } from '../anchors/program.ts';
import { staticServer } from '../anchors/static.ts';
import { rangesASecond } from '../anchors/wrk.ts';
import { MASTER_KEY, startApp } from '../app.ts';
import { openEstate } from '../estate.ts';
import { alternate, median } from '../measure.ts';
import { atLeast, type Figure, missing, type Row } from '../row.ts';

const PARTS = 200;
const CLIENTS = 100;
/** The generator's connections take the links in turn: with more links than clients no terminal is met at more than its three transfers. */
const LINKS = 400;
const SECONDS = 3;

type Server = { readonly url: string; stop(): Promise<void> } | undefined;

/** Works with servers that are ended again whatever happens. */
async function each<T>(starts: readonly (() => Promise<Server>)[], work: (servers: readonly Server[]) => Promise<T>): Promise<T> {
  const servers: Server[] = [];
  try {
    for (const start of starts) servers.push(await start());
    return await work(servers);
  } finally {
    for (const one of servers.reverse()) await one?.stop();
  }
}

async function run(): Promise<readonly Figure[]> {
  if (!program('wrk')) return [missing('1 MB ranges a second', Number.NaN, 'MB/s', 'wrk')];
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-bench-bytes-'));
  chmodSync(dataDir, 0o755);
  const stored = await diskStore(join(dataDir, 'blobs')).put(
    Readable.from(
      (function* () {
        for (let n = 0; n < PARTS; n += 1) yield randomBytes(1024 * 1024);
      })(),
    ),
  );
  const blob = join(dataDir, 'blobs', stored.sha256.slice(0, 2), stored.sha256);
  // The same bytes on the disk for all of them.
  const plain = mkdtempSync(join(tmpdir(), 'mooring-bench-plain-'));
  chmodSync(plain, 0o755);
  linkSync(blob, join(plain, 'firmware.bin'));
  const estate = await openEstate(1_000_000);
  try {
    const devices = await estate.query<{ sn: string }>(
      `insert into device_credential (device_id, serial, fingerprint, key_hash, certificate, issued_at, expires_at)
       select id, 'bench-' || id, 'bench-' || id, '', '', now(), now() + interval '1 day' from device order by id limit $1
       returning (select sn from device where id = device_id) as sn`,
      [LINKS],
    );
    const expiresAt = new Date(Date.now() + 3_600_000);
    const key = loadMasterKey(MASTER_KEY, dataDir);
    const links = devices.map(({ sn }) => fileUrl(key, { sn, sha256: stored.sha256, expiresAt }));
    const rate = (url: string, paths = links) => rangesASecond(url, { paths, parts: PARTS, clients: CLIENTS, seconds: SECONDS });
    const same = links.map(() => '/firmware.bin');
    const own = { DATABASE_URL: estate.url };

    const served = await each(
      [() => startNginx([['proxy_pass http://mooring;', `root ${plain};`]]), () => startApp(own, dataDir), () => staticServer(plain)],
      ([nginx, app, fastify]) =>
        alternate({
          ours: () => rate(app?.url ?? ''),
          nginx: async () => (nginx ? rate(nginx.url, same) : Number.NaN),
          fastify: async () => (fastify ? rate(fastify.url, same) : Number.NaN),
        }),
    );
    const fronted = await each(
      [
        () => startNginx([['proxy_pass http://mooring;', `root ${plain};`]]),
        () => startApp({ ...own, TRUST_PROXY: '1', ACCEL_LOCATION: '/blobs' }, dataDir),
      ],
      ([nginx, app]) =>
        each(
          [
            () =>
              startNginx([
                ['server 127.0.0.1:8080;', `server ${new URL(app?.url ?? '').host};`],
                ['/var/lib/mooring/blobs/', `${join(dataDir, 'blobs')}/`],
              ]),
          ],
          ([front]) =>
            nginx && front ? alternate({ ours: () => rate(front.url), nginx: () => rate(nginx.url, same) }) : Promise.resolve(undefined),
        ),
    );
    const against = (name: string, ours: readonly number[], anchor: readonly number[], ratio: number, of: string) =>
      anchor.some(Number.isNaN) ? missing(name, median(ours), 'MB/s', of) : atLeast(name, median(ours), median(anchor), ratio, 'MB/s');
    return [
      against('built in, against nginx', served.ours, served.nginx, 0.7, 'nginx'),
      fronted
        ? against('behind nginx, against nginx alone', fronted.ours, fronted.nginx, 0.8, 'nginx')
        : missing('behind nginx, against nginx alone', Number.NaN, 'MB/s', 'nginx'),
      against('built in, against @fastify/static', served.ours, served.fastify, 1.5, '@fastify/static'),
    ];
  } finally {
    await estate.query("delete from device_credential where serial like 'bench-%'");
    await estate.stop();
    for (const folder of [dataDir, plain]) rmSync(folder, { recursive: true, force: true });
  }
}

export const p8: Row = { id: 'P8', work: 'a 200 MB firmware to 100 clients by 1 MB ranges, tokens checked', run };
