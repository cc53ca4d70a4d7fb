import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppContext, createApp } from '@mooring/server/platform/app-context';
import { readConfig } from '@mooring/server/platform/config/config';
import { loadMasterKey, masterKey } from '@mooring/server/platform/config/master-key';
import { openPools } from '@mooring/server/platform/db/pools';
import { type DeviceAuthority, loadDeviceAuthority } from '@mooring/server/platform/gateway/device-authority';
import { makeDeviceToken } from '@mooring/server/platform/gateway/device-token';
import { describe } from '@mooring/server/platform/gateway/x509';
import { seededDeviceKeys } from '@mooring/terminal/device-keys';
import pg from 'pg';
import { pino } from 'pino';
import { MASTER_KEY } from '../app.ts';
import { type Derived, type Estate, openEstate } from '../estate.ts';
import type { Credential } from './plan.ts';
import { CAN } from './sayings.ts';
import { FACTORY } from './what-it-has.ts';

export const FLEET = 15_000;
const DEVICES = 1_000_000;
/** The first devices of the estate, all over its organisations, are the ones that connect. */
const LAST_SN = `B${String(FLEET).padStart(10, '0')}`;
/** One key for all: a benchmark measures connections, not the making of keys. */
const keys = seededDeviceKeys('bench');
const CERTIFICATES = 500;

/** A server of this process on the estate's database, for what the product does at its desk. */
export function deskOf(url: string): { app: AppContext; end: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-desk-'));
  const config = readConfig({ DATA_DIR: folder, MASTER_KEY }, []);
  const pools = openPools(url, { max: 4 });
  const app = createApp({ config, pools, masterKey: loadMasterKey(MASTER_KEY, folder), log: pino({ level: 'silent' }) });
  return { app, end: () => pools.end() };
}

async function certify(client: pg.Client, authority: DeviceAuthority): Promise<void> {
  const request = await keys.request('BENCH');
  const found = await client.query<{ id: string; sn: string }>('select id, sn from device where sn <= $1 order by sn', [LAST_SN]);
  for (let at = 0; at < found.rows.length; at += CERTIFICATES) {
    const rows = [];
    for (const { id, sn } of found.rows.slice(at, at + CERTIFICATES)) {
      const issued = await authority.issue(sn, request);
      if (!issued) throw new Error('no certificate');
      const { serial, fingerprint, keyHash, issuedAt, expiresAt } = describe(issued.pem);
      rows.push({ id, serial, fingerprint, key_hash: keyHash, certificate: issued.pem, issued_at: issuedAt, expires_at: expiresAt });
    }
    await client.query(
      `insert into device_credential (device_id, serial, fingerprint, key_hash, certificate, issued_at, expires_at)
       select id, serial, fingerprint, key_hash, certificate, issued_at, expires_at from jsonb_to_recordset($1::jsonb)
         as x(id bigint, serial text, fingerprint text, key_hash text, certificate text, issued_at timestamptz, expires_at timestamptz)`,
      [JSON.stringify(rows)],
    );
  }
}

/** One product and all abilities, so that a task of any kind may reach all; nobody in contact; the fleet known by its tag, enrolled and with certificates. */
const fleet: Derived = {
  name: 'able_fleet',
  async make(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('set synchronous_commit = off');
    await client.query('alter table device disable trigger user');
    await client.query(
      `update device set status = '2', product_id = (select id from product_product where code = 'BENCH-1'),
         firmware = case when sn <= $1 then '1.0.0' else firmware end, capabilities = $2, modules = $3, patch = $4, tags = case when sn <= $1 then '{fleet}' else '{}' end::text[]`,
      [LAST_SN, CAN, FACTORY.modules, FACTORY.patch],
    );
    await client.query('alter table device enable trigger user');
    await client.query(`truncate device_tally`);
    await client.query(
      `insert into device_tally select dept_path, product_id, status, coalesce(firmware, ''), count(*) from device where deleted_at is null group by 1, 2, 3, 4`,
    );
    await client.query('update device_presence set online = false');
    const desk = deskOf(url);
    await certify(client, await loadDeviceAuthority(desk.app));
    await desk.end();
    await client.query('vacuum full analyze device');
    await client.query('vacuum full analyze device_presence');
    await client.end();
  },
};

export interface FleetEstate extends Estate {
  /** Tokens for plain connections. */
  plain(): readonly Credential[];
  certified(): Promise<{ terminals: readonly Credential[]; tls: { ca: string; key: string } }>;
  /** For a broker that isn't the product's. */
  brokerCertificate(): Promise<{ cert: string; key: string }>;
}

/** A million devices of which fifteen thousand have what it takes to connect. `fresh` gives a copy that is thrown away. */
export async function openFleetEstate(fresh = false): Promise<FleetEstate> {
  const estate = await openEstate(DEVICES, [fleet, ...(fresh ? [{ name: 'run', fresh }] : [])]);
  const withAuthority = async <T>(work: (authority: DeviceAuthority) => T | Promise<T>): Promise<T> => {
    const desk = deskOf(estate.url);
    try {
      return await work(await loadDeviceAuthority(desk.app));
    } finally {
      await desk.end();
    }
  };
  return {
    ...estate,
    plain() {
      const key = masterKey(Buffer.from(MASTER_KEY));
      const expiresAt = new Date(Date.now() + 86_400_000);
      return Array.from({ length: FLEET }, (_, n) => {
        const sn = `B${String(n + 1).padStart(10, '0')}`;
        return { sn, token: makeDeviceToken(key, { sn, gen: 0, expiresAt }) };
      });
    },
    async certified() {
      const terminals = await estate.query<{ sn: string; cert: string }>(
        `select d.sn, c.certificate as cert from device d join device_credential c on c.device_id = d.id where d.sn <= $1 order by d.sn`,
        [LAST_SN],
      );
      return { terminals, tls: { ca: await withAuthority((authority) => authority.root), key: keys.privatePem } };
    },
    brokerCertificate: () => withAuthority((authority) => authority.server(['127.0.0.1'])),
  };
}
