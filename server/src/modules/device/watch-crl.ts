import { exec } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AppContext } from '../../platform/app-context.ts';
import type { DeviceAuthority } from '../../platform/gateway/device-authority.ts';
import { revokedCertificates, revokedVersion } from '../../platform/gateway/revoked.ts';

const LOOK_MS = 2000;
/** A list lives a week; a broker refuses everybody by one that is over. */
const RENEW_MS = 12 * 3_600_000;
const RELOAD_MS = 30_000;

export interface CrlWatch {
  readonly folder: string;
  /** Has the broker read its files again. */
  readonly reload: string | undefined;
  readonly authority: () => Promise<DeviceAuthority>;
  /** Ends the live connection of a terminal. */
  cut(sn: string): Promise<void>;
}

/**
 * Keeps `crl.pem` of an outside broker fresh and has the broker read it. Who came to the list is cut after that: a connection that was
 * cut before could come back meanwhile.
 */
export function watchCrl(app: AppContext, watch: CrlWatch): () => Promise<void> {
  let mark = '';
  let writtenAt = 0;
  let known: ReadonlySet<string> | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const renew = async () => {
    const authority = await watch.authority();
    const shut = await revokedCertificates(app);
    const path = join(watch.folder, 'crl.pem');
    writeFileSync(`${path}.new`, await authority.crl(), { mode: 0o644 });
    renameSync(`${path}.new`, path);
    if (watch.reload) await promisify(exec)(watch.reload, { timeout: RELOAD_MS, env: { ...process.env, BROKER_FILES: watch.folder } });
    // At the start all of them were cut long ago.
    if (known) for (const one of shut) if (!known.has(one.serial)) await watch.cut(one.sn);
    known = new Set(shut.map((one) => one.serial));
  };
  const once = async () => {
    const now = await revokedVersion(app);
    if (now === mark && app.now().getTime() - writtenAt < RENEW_MS) return;
    await renew();
    mark = now;
    writtenAt = app.now().getTime();
  };
  let running: Promise<void> = Promise.resolve();
  const tick = () => {
    if (stopped) return;
    running = once()
      .catch((error: unknown) => app.log.error({ error: String(error) }, 'revocations do not reach the broker; trying again'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, LOOK_MS);
      });
  };
  tick();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
