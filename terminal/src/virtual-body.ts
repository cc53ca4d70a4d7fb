import { createHash } from 'node:crypto';
import type { Measured } from '@mooring/contract/desktop/screen-fit';
import type { Settings, Up } from '@mooring/contract/device/messages';
import type { HardwarePart } from '@mooring/contract/hardware-test/parts';
import { besideFlaw } from './beside.ts';
import type { Body, Done, Installed } from './body.ts';
import { cities } from './cities.ts';
import type { Flaw } from './flaws.ts';
import type { PackageOffer } from './offer.ts';
import { between, pick, type Random, seeded } from './random.ts';
import { makeRunLog } from './run-log.ts';
import { screenOf } from './screens.ts';
import type { Shelf } from './shelf.ts';
import { CONTENT_HEAD, isContent } from './show-content.ts';
import { hashSink, memorySink, type Sink } from './sink.ts';
import { testVirtualPart } from './virtual-parts.ts';
import { type VirtualThings, virtualThings } from './virtual-things.ts';

export interface VirtualOptions {
  readonly sn: string;
  readonly product: string;
  /** Its screen; that of its model where it is left out. */
  readonly screen?: Measured | undefined;
  readonly random: Random;
  readonly flaw: Flaw | undefined;
  /** How many attempts the flaw spoils. */
  readonly failAttempts: number;
  readonly installSeconds: number;
  readonly bootSeconds: number;
  /** Bytes a second of an ordinary line; none sets no limit. */
  readonly speed?: number | undefined;
  readonly shelf: Shelf;
  /** Roots (PEM) below which a signature beside each app has to be. */
  readonly signers?: string | undefined;
  /** What is set on it, by section, as its journal has it. */
  readonly settings: ReadonlyMap<string, NonNullable<Settings['values']>>;
  /** Properties that were set on it, as its journal has them. */
  readonly properties: Map<string, unknown>;
  event(name: string, level: 'info' | 'warning', params: Record<string, string>): void;
  tell(values: Up['property']['values']): void;
}
export interface VirtualBody extends Body {
  /** Attempts at which the flaw struck, by offer. */
  readonly spoilt: ReadonlySet<string>;
  /** Somebody puts another SIM in; it says so with its next connection. */
  swapSim(iccid: string): void;
  readonly things: VirtualThings;
  readonly messages: readonly { title: string; text: string }[];
  /** Parts that fail when they are tested, and those that it doesn't have. */
  readonly broken: Set<string>;
  readonly missing: Set<string>;
  /** Figures that it shows whatever its day would make of them: a battery that is low, a cabinet that is hot, a place of its own. */
  readonly held: Partial<Pick<Up['beat'], 'battery' | 'charging' | 'temperature' | 'position'>>;
}

/** What can be set on it. */
const knownSections =
  /^(appPermission\.[A-Za-z]+|networkConfig\.(wifiWhitelist|hotspot)|storeAdvertSpace\.(idle|boot|main)|systemCustomization|customizeDesktop|androidParam\.\d+)$/;
const MB = 1024 ** 2;
const GB = 1024 * MB;
const HOUR = 3_600_000;
const MOST_FETCHED = 64;

/** An app that it comes with, signed by a key of its maker that nobody else has. */
const factoryApp = (id: string, name: string, version: readonly [number, number, number]) => ({
  id,
  name,
  version: version.join('.'),
  code: version[0] * 10_000 + version[1] * 100 + version[2],
  certificate: createHash('sha256').update(`factory ${id}`).digest('hex'),
});

/** Which part is bad in a terminal with this flaw. */
const brokenBy: Readonly<Record<Flaw, HardwarePart>> = {
  drops: 'network',
  slow: 'network',
  shaky: 'network',
  tamper: 'cardReader',
  geofence: 'nfc',
  refuses: 'screen',
  corrupt: 'scanner',
  installFails: 'screen',
  powerLost: 'battery',
  noSpace: 'printer',
  batteryLow: 'battery',
};

/** A payment terminal as it might stand in a shop: battery that drains and charges, a place, a line, apps. */
export function virtualBody(options: VirtualOptions): VirtualBody {
  const { sn, product, random, flaw, signers, screen = screenOf(product) } = options;
  const city = pick(random, cities);
  const place = { lat: city.lat + between(random, -0.08, 0.08), lon: city.lon + between(random, -0.1, 0.1) };
  const network = pick(random, ['wifi', 'cellular', 'cellular', 'ethernet'] as const);
  const ssid = `shop-${sn}`.slice(0, 32);
  const strength = Math.round(between(random, -95, -50));
  const before = between(random, 0, 12) * HOUR;
  const phase = random();
  const total = 8 * GB;
  let free = Math.round(between(random, 1.5, 5) * GB);
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('');
  const facts = {
    pn: `${product}-${pick(random, ['0A', '0B', '1C'])}`,
    imei: `86${digits(13)}`,
    ...(screen && { screen }),
    mac: digits(12).replaceAll(/(..)(?=.)/g, '$1:'),
    iccid: `8986${digits(16)}`,
    modules: { sp: `3.1.${Math.floor(random() * 9)}`, modem: `11.${Math.floor(random() * 9)}`, printer: '2.4.0' },
    patch: pick(random, ['2026-07', '2026-08', '2026-09']),
    apps: [
      factoryApp('com.mooring.pay', 'Payment', [5, Math.floor(random() * 6), 0]),
      { ...factoryApp('com.mooring.agent', 'Agent', [0, 1, 0]), system: true },
      factoryApp('com.shop.loyalty', 'Loyalty', [1, Math.floor(random() * 4), 2]),
    ],
  };
  const spoilt = new Set<string>();
  const messages: { title: string; text: string }[] = [];
  const runLog = makeRunLog();
  const note = (text: string) => runLog.add('info', 'system', text);
  const failed = (text: string) => runLog.add('error', 'system', text);
  runLog.add('info', 'system', `start ${sn} ${product} in ${city.name}`, new Date(Date.now() - before));
  /** Does the flaw strike at this attempt? The first ones only: a second try finds the terminal mended. */
  const strikes = (kind: Flaw, offer: string): boolean => {
    if (flaw !== kind) return false;
    if (!spoilt.has(offer) && spoilt.size >= options.failAttempts) return false;
    spoilt.add(offer);
    return true;
  };
  const settings = options.settings;
  /** It joins Wi-Fi networks on its list alone; where there is none it goes on over its SIM. */
  const networkNow = () => {
    const allowed = settings.get('networkConfig.wifiWhitelist')?.ssids;
    if (network !== 'wifi') return { kind: network };
    return Array.isArray(allowed) && !allowed.includes(ssid) ? ({ kind: 'cellular' } as const) : { kind: network, ssid };
  };
  let transactions = Math.floor(between(random, 100, 9000));
  const held: VirtualBody['held'] = {};
  // A cabinet without a scanner, as every fifth one; a flaky one has a part that fails.
  const missing = new Set<string>(phase < 0.2 ? ['scanner'] : []);
  const broken = new Set<string>(flaw === undefined ? [] : [brokenBy[flaw]]);
  const things = virtualThings({
    random: seeded(`things:${sn}`),
    kept: options.properties,
    note,
    event: options.event,
    tell: options.tell,
  });
  let spoiling: string | undefined;
  let corrupt = false;
  /** What was fetched and isn't installed yet, over a restart too: several wait at a time for their windows. */
  const fetched = new Map<string, { readonly sink: Sink; readonly bytes?: () => Buffer }>();
  const flashFor = ({ kind: of, package: { sha256, kind } }: PackageOffer): Sink => {
    const isOwn = kind === 'DI' || of === 'paramFile' || isContent(of);
    let flash = fetched.get(sha256);
    if (!flash) {
      const memory = isOwn ? memorySink(() => corrupt, isContent(of) ? CONTENT_HEAD : undefined) : undefined;
      flash = { sink: memory ?? hashSink(() => corrupt), ...(memory ? { bytes: memory.bytes } : {}) };
      for (const [left] of [...fetched].slice(0, Math.max(0, fetched.size - MOST_FETCHED + 1))) fetched.delete(left);
      fetched.set(sha256, flash);
    }
    // Of a difference the result is kept, a file of parameters is one terminal's alone, and of what is shown it keeps what it says.
    return isOwn || flash.sink.received() > 0 ? flash.sink : options.shelf.keeping(sha256, flash.sink);
  };
  const apply = async ({ package: of }: PackageOffer, running: string | undefined, bytes: Buffer = Buffer.alloc(0)) => {
    const made = await options.shelf.apply(running, bytes, of);
    if (made.ok) note(`applied to ${of.base}`);
    else failed(`not applied: ${made.message}`);
    return made;
  };
  /** The offer whose difference was applied before its installation. */
  let rebuilt: string | undefined;

  return {
    sn,
    product,
    model: product,
    capabilities: [
      'firmware',
      'module',
      'patch',
      'appPermission',
      'networkConfig',
      'paramFile',
      'androidParam',
      'storeAdvertSpace',
      'systemCustomization',
      'customizeDesktop',
      'softApp',
      'softAppParams',
      'diffFrames',
      'appDiff',
      'appDiffEntries',
      'resume',
      'window',
      'newWindow',
      'reboot',
      'message',
      'logPull',
      'logLines',
      'hardwareTest',
      'propertyGet',
      'propertySet',
      'serviceCall',
      'config',
    ],
    runLog,
    things,
    broken,
    missing,
    testPart: (part) => testVirtualPart(part, broken, missing, random),
    bootSeconds: options.bootSeconds,
    spoilt,
    swapSim(iccid) {
      facts.iccid = iccid;
    },
    messages,
    held,
    timeZone: () => city.timeZone,
    facts: () => facts,
    figures() {
      // A day's curve: charged over night, down to a quarter in the evening.
      const hour = ((Date.now() / HOUR) % 24) / 24;
      const wave = 0.5 + 0.5 * Math.cos((hour + phase) * 2 * Math.PI);
      const low = flaw === 'batteryLow' && spoiling === 'battery';
      const sold = Math.floor(random() * 3);
      transactions += sold;
      things.sold(sold);
      return {
        battery: low ? 6 : Math.round(25 + 75 * wave),
        charging: low ? false : wave > 0.6,
        network: { ...networkNow(), signal: strength + Math.round(between(random, -4, 4)) },
        storage: { total, free },
        position: { ...(flaw === 'geofence' ? { lat: place.lat + 0.5, lon: place.lon } : place), accuracy: 25, source: 'gps' as const },
        temperature: Math.round(between(random, 28, 41)),
        uptime: Math.floor((before + performance.now()) / 1000),
        ...held,
        counters: { transactions, prints: Math.floor(transactions * 0.9), reboots: 1 },
      };
    },
    freeBytes: (offer) => (strikes('noSpace', offer.offer) ? Math.min(MB, offer.package.size - 1) : free),
    async openSink(offer) {
      spoiling = strikes('batteryLow', offer.offer) ? 'battery' : undefined;
      corrupt = strikes('corrupt', offer.offer);
      note(`download ${offer.package.version}, ${offer.package.size} bytes`);
      return flashFor(offer);
    },
    line(offer, attempt) {
      const { size } = offer.package;
      // Each break leaves something, so that even a line that drops again and again arrives.
      if (flaw === 'drops' && attempt < 3)
        return { speed: options.speed, breakAfter: Math.max(1, Math.floor(size * between(random, 0.1, 0.3))) };
      if (flaw === 'shaky' && attempt < 8) return { speed: options.speed, breakAfter: Math.max(1, Math.floor(size * 0.1)) };
      if (flaw === 'slow') return { speed: Math.max(64 * 1024, size / 10) };
      return { speed: options.speed };
    },
    async install(offer, running): Promise<Installed> {
      note(`install ${offer.package.version}`);
      const flash = fetched.get(offer.package.sha256);
      fetched.delete(offer.package.sha256);
      await new Promise((resolve) => setTimeout(resolve, options.installSeconds * 1000 * (0.7 + 0.6 * random())));
      if (strikes('installFails', offer.offer)) {
        failed('partition check failed: code 17');
        return { ok: false, reason: 'installFailed', message: 'partition check failed: code 17' };
      }
      if (strikes('powerLost', offer.offer)) return 'powerLost';
      if (offer.package.kind === 'DI' && rebuilt !== offer.offer) {
        const made = await apply(offer, running, flash?.bytes?.());
        if (!made.ok) return made;
      }
      free = Math.max(GB / 2, free - Math.floor(offer.package.size / 10));
      note(`installed ${offer.package.version}`);
      return { ok: true, sha256: offer.package.kind === 'DI' ? offer.package.fullSha256 : undefined, bytes: flash?.bytes?.() };
    },
    async rebuild(offer, running): Promise<Installed> {
      const made = await apply(offer, running, fetched.get(offer.package.sha256)?.bytes?.());
      rebuilt = made.ok ? offer.offer : undefined;
      return made;
    },
    readApp: (offer) => options.shelf.readApp(offer.package.fullSha256 ?? offer.package.sha256),
    ...(signers && {
      besideFlaw: async (sha256, signature) => {
        const content = options.shelf.read(sha256);
        return content ? besideFlaw(signature, content, signers) : 'the package is not at hand';
      },
    }),
    async uninstall(packageName): Promise<Installed> {
      await new Promise((resolve) => setTimeout(resolve, (options.installSeconds * 1000) / 10));
      if (strikes('installFails', packageName))
        return { ok: false, reason: 'installFailed', message: `${packageName} not removed: code 5` };
      note(`removed ${packageName}`);
      return { ok: true };
    },
    async set({ section, values }): Promise<Installed> {
      if (!knownSections.test(section)) return { ok: false, reason: 'notSupported', message: `no ${section} here` };
      await new Promise((resolve) => setTimeout(resolve, (options.installSeconds * 1000) / 10));
      if (strikes('installFails', section)) return { ok: false, reason: 'installFailed', message: `${section} not applied: code 5` };
      note(`${values === null ? 'reset' : 'set'} ${section}`);
      return { ok: true };
    },
    confirm: async ({ offer }) => !strikes('refuses', offer),
    async command(kind, params): Promise<Done> {
      if (kind === 'reboot') return { ok: true, thenReboot: true };
      if (kind === 'message') {
        messages.push({ title: String(params.title), text: String(params.text) });
        return { ok: true };
      }
      return { ok: false, reason: 'notSupported' };
    },
  };
}
