import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { hostname, networkInterfaces, uptime } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Measured } from '@mooring/contract/desktop/screen-fit';
import { type LogLevel, type LogLine, linesOfText } from '@mooring/contract/device/log/log-lines';
import { type Applied, applyDiff, withFile } from './apply-diff.ts';
import type { Body, Done, Installed } from './body.ts';
import type { PartFound } from './hardware.ts';
import type { PackageOffer } from './offer.ts';
import { type LogAsked, makeRunLog, selected } from './run-log.ts';
import { fileSink } from './sink.ts';

const run = promisify(execFile);
const INSTALL_MS = 30 * 60_000;

export interface LinuxOptions {
  readonly sn: string;
  readonly product: string;
  readonly dataDir: string;
  /** Program that installs a package: gets the full image, its version and the kind of offer; exit code 0 is success, its last line of output the reason otherwise. */
  readonly installer: string;
  /** The image that runs, as a file: differences are applied to it. */
  readonly image?: string | undefined;
  /** Program that shows a message: gets title, text and seconds. */
  readonly notifier?: string | undefined;
  /** Program that asks the person whether to install: gets kind and version of the offer; exit code 0 is a yes, 1 a no. */
  readonly asker?: string | undefined;
  readonly logFile?: string | undefined;
  readonly screen?: Measured | undefined;
}

const read = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined);

function firstAddress() {
  const found = Object.entries(networkInterfaces())
    .flatMap(([name, list]) => (list ?? []).map((one) => ({ name, ...one })))
    .find((one) => !one.internal && one.family === 'IPv4');
  if (!found) return undefined;
  const kind = /^wl/.test(found.name) ? ('wifi' as const) : /^ww|^ppp/.test(found.name) ? ('cellular' as const) : ('ethernet' as const);
  return { kind, ip: found.address, mac: found.mac };
}

/** Puts in place of a difference what it makes of the image that runs; a frame at a time is in memory. */
async function applyTo(image: string, path: string, of: PackageOffer['package']): Promise<Applied> {
  const whole = `${path}.made`;
  const file = await open(whole, 'w', 0o600);
  try {
    const made = await withFile(image, (base) => withFile(path, (diff) => applyDiff(base, diff, of, (piece) => file.appendFile(piece))));
    await file.sync();
    if (made.ok) await rename(whole, path);
    return made;
  } finally {
    await file.close();
    await rm(whole, { force: true });
  }
}

const GOOD_HEALTH = 50;
/** What can be told of a Linux machine without its maker's word: its battery and its network. */
async function testLinuxPart(part: string): Promise<PartFound> {
  if (part === 'network') {
    const address = firstAddress();
    return address ? { part, outcome: 'passed', figures: { kind: address.kind } } : { part, outcome: 'failed', reason: 'noSignal' };
  }
  const [now, full, design] = ['capacity', 'charge_full', 'charge_full_design'].map((name) => read(`/sys/class/power_supply/BAT0/${name}`));
  if (part !== 'battery' || now === undefined) return { part, outcome: 'absent' };
  const health = full && design ? Math.round((Number(full) / Number(design)) * 100) : undefined;
  const figures = { level: Number(now), ...(health === undefined ? {} : { health }) };
  return health !== undefined && health < GOOD_HEALTH
    ? { part, outcome: 'failed', reason: 'worn', figures }
    : { part, outcome: 'passed', figures };
}

const LOG_BYTES = 64 * 1024 ** 2;
/** Lines of a log file; those that match are among its last ones. */
async function linesOfFile(path: string, asked: LogAsked): Promise<readonly LogLine[]> {
  const { stdout } = await run('tail', ['-n', String(20 * asked.lines), path], { maxBuffer: LOG_BYTES });
  return selected(linesOfText(stdout, Intl.DateTimeFormat().resolvedOptions().timeZone), asked);
}

/** Priorities of syslog by the least level that is asked for. */
const priorities: Readonly<Record<LogLevel, string>> = { debug: '7', info: '6', warn: '4', error: '3' };
const levelOfPriority = (said: unknown): LogLevel => {
  const priority = Number(said ?? 6);
  return priority <= 3 ? 'error' : priority === 4 ? 'warn' : priority === 7 ? 'debug' : 'info';
};

async function linesOfJournal({ lines, level, from, to }: LogAsked): Promise<readonly LogLine[]> {
  const asked = ['-n', String(lines), '-p', priorities[level ?? 'debug'], '--no-pager', '-o', 'json'];
  const second = (text: string) => `@${Math.floor(Date.parse(text) / 1000)}`;
  const { stdout } = await run('journalctl', [...asked, ...(from ? ['-S', second(from)] : []), ...(to ? ['-U', second(to)] : [])], {
    maxBuffer: LOG_BYTES,
  });
  return stdout.split('\n').flatMap((line): LogLine[] => {
    if (line === '') return [];
    const { MESSAGE, PRIORITY, SYSLOG_IDENTIFIER, __REALTIME_TIMESTAMP } = JSON.parse(line) as Record<string, unknown>;
    // What is no text comes as a list of its bytes.
    const text = Array.isArray(MESSAGE) ? Buffer.from(MESSAGE).toString() : String(MESSAGE ?? '');
    const at = new Date(Number(__REALTIME_TIMESTAMP) / 1000).toISOString();
    return [{ at, level: levelOfPriority(PRIORITY), tag: String(SYSLOG_IDENTIFIER ?? ''), text }];
  });
}

const NO = 1;
const saysYes = (asker: string, about: readonly string[], signal: AbortSignal): Promise<boolean> =>
  run(asker, about, { signal }).then(
    () => true,
    (error: { readonly code?: unknown }) => {
      if (error.code === NO) return false;
      throw error;
    },
  );

/** The agent's device where it runs on Linux: real figures, real files, an installer of the maker's. */
export function linuxBody(options: LinuxOptions): Body {
  const { sn, product, dataDir, installer, asker, screen } = options;
  const downloads = join(dataDir, 'downloads');
  const storage = () => {
    const { blocks, bavail, bsize } = statfsSync(dataDir);
    return { total: blocks * bsize, free: bavail * bsize };
  };
  const pathOf = (sha256: string) => join(downloads, `${sha256}.part`);
  return {
    sn,
    product,
    model: read('/sys/class/dmi/id/product_name') ?? product,
    capabilities: [
      'firmware',
      'diffFrames',
      'resume',
      'window',
      'newWindow',
      'reboot',
      'logPull',
      'logLines',
      'hardwareTest',
      'config',
      ...(options.notifier ? (['message'] as const) : []),
    ],
    runLog: makeRunLog(),
    testPart: testLinuxPart,
    pullLog: (asked) => (options.logFile ? linesOfFile(options.logFile, asked) : linesOfJournal(asked)),
    bootSeconds: 1,
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    facts: () => {
      const address = firstAddress();
      return { pn: hostname().slice(0, 64), ...(screen && { screen }), ...(address ? { mac: address.mac } : {}) };
    },
    figures: () => {
      const capacity = read('/sys/class/power_supply/BAT0/capacity');
      const heat = read('/sys/class/thermal/thermal_zone0/temp');
      const address = firstAddress();
      return {
        storage: storage(),
        uptime: uptime(),
        ...(capacity ? { battery: Number(capacity), charging: read('/sys/class/power_supply/BAT0/status') !== 'Discharging' } : {}),
        ...(heat ? { temperature: Number(heat) / 1000 } : {}),
        ...(address ? { network: { kind: address.kind, ip: address.ip } } : {}),
      };
    },
    freeBytes: () => storage().free,
    openSink: (offer) => fileSink(pathOf(offer.package.sha256)),
    line: () => ({}),
    async install(offer): Promise<Installed> {
      const path = pathOf(offer.package.sha256);
      try {
        if (offer.package.kind === 'DI') {
          if (!options.image) return { ok: false, reason: 'notSupported', message: 'no --image to apply differences to' };
          const made = await applyTo(options.image, path, offer.package);
          if (!made.ok) return made;
        }
        await run(installer, [path, offer.package.version, offer.kind], { timeout: INSTALL_MS });
        return { ok: true, sha256: offer.package.fullSha256 };
      } catch (error) {
        const said =
          String((error as { stderr?: string }).stderr ?? error)
            .trim()
            .split('\n')
            .at(-1) ?? '';
        return { ok: false, reason: 'installFailed', message: said.slice(0, 300) };
      } finally {
        await rm(path, { force: true });
      }
    },
    set: async () => ({ ok: false, reason: 'notSupported' }),
    ...(asker && { confirm: ({ kind, package: sent }, signal) => saysYes(asker, [kind, sent?.version ?? ''], signal) }),
    async command(kind, params): Promise<Done> {
      if (kind === 'reboot') {
        setTimeout(() => void run('systemctl', ['reboot']).catch(() => {}), 3000);
        return { ok: true };
      }
      if (kind === 'message' && options.notifier) {
        await run(options.notifier, [String(params.title), String(params.text), String(params.seconds)]);
        return { ok: true };
      }
      return { ok: false, reason: 'notSupported' };
    },
  };
}
