import { randomUUID } from 'node:crypto';
import { PROTOCOL_VERSION } from '@mooring/contract/device/limits';
import { type DownRead, downMessages, Envelope, type Up } from '@mooring/contract/device/messages';
import { ackedKinds, type DownKind, downKinds, type UpKind } from '@mooring/contract/device/topics';
import { reportedApps } from './apps.ts';
import type { Body, Done } from './body.ts';
import { fitHello } from './fit-hello.ts';
import type { Journal, Unsent } from './journal.ts';
import { type Credentials, makeLink } from './link.ts';
import type { OfferTools } from './offer-tools.ts';
import { reportedParts } from './parts.ts';
import type { Random } from './random.ts';
import { afterPowerLoss, runOffer } from './run-offer.ts';
import type { ServerClock } from './server-clock.ts';
import { reportedParams, reportedSettings } from './settings.ts';

export interface AgentOptions {
  readonly body: Body;
  readonly journal: Journal;
  readonly random: Random;
  readonly server: string;
  readonly releaseRoot: string;
  readonly heartbeatSeconds: number;
  readonly maxBackoffSeconds?: number | undefined;
  readonly ca?: string | undefined;
  /** What ends and begins by the server's word is judged by its time. */
  readonly clock: ServerClock;
  credentials(): Promise<Credentials>;
  readonly onRefused?: () => void;
  readonly log?: (word: string, detail?: unknown) => void;
}
export interface Agent {
  readonly sn: string;
  readonly journal: Journal;
  readonly isUp: () => boolean;
  /** Offers that are being worked on. */
  readonly busy: () => number;
  start(): void;
  stop(): Promise<void>;
  cut(): void;
  reboot(): Promise<void>;
  event(name: string, level: 'info' | 'warning' | 'alarm', params?: Record<string, never> | Record<string, number | string>): void;
}

const REPEAT_SECONDS = [5, 10, 20, 40, 60];
const LOG_PIECE = 40_000;
const AGENT = 'mooring-agent/0.1';

/** The terminal's side of the protocol (docs/device-protocol.md). */
export function makeAgent(options: AgentOptions): Agent {
  const { body, journal, random } = options;
  const log = options.log ?? (() => {});
  let session = randomUUID();
  let work = new AbortController();
  let beating: NodeJS.Timeout | undefined;
  let repeating: NodeJS.Timeout | undefined;
  let chain: Promise<void> = Promise.resolve();
  let busy = 0;
  let stopped = false;
  const tries = new Map<string, { count: number; nextAt: number }>();
  const running = new Set<string>();
  /** The newest hello until it is acknowledged. The next start says one of its own. */
  let unheard: Unsent | undefined;

  /** Of packages; what messages took the line knows. */
  let downloaded = 0;

  const link = makeLink({
    sn: body.sn,
    random,
    credentials: options.credentials,
    session: () => session,
    onRefused: () => options.onRefused?.(),
    ...(options.maxBackoffSeconds ? { maxBackoffSeconds: options.maxBackoffSeconds } : {}),
    onUp() {
      session = randomUUID();
      for (const one of tries.values()) one.nextAt = 0;
      hello();
      clearInterval(beating);
      beating = setInterval(() => beat(), options.heartbeatSeconds * 1000 * (0.9 + random() * 0.2));
    },
    onDown: () => clearInterval(beating),
    onMessage: (kind, payload) => take(kind, payload),
  });

  function beat(): void {
    const { counters, ...figures } = body.figures();
    const { received, sent } = link.traffic();
    publish('beat', { ...figures, counters: { ...counters, rxBytes: received + downloaded, txBytes: sent } });
  }
  function publish<K extends UpKind>(kind: K, data: Up[K], id: string = randomUUID()): void {
    const message = { v: PROTOCOL_VERSION, id, at: new Date().toISOString(), data };
    if (ackedKinds.includes(kind)) {
      journal.unsent.set(id, { kind, id, at: message.at, data });
      journal.save();
      tries.set(id, { count: 0, nextAt: 0 });
      repeat();
    } else link.send(kind, message, kind === 'beat' ? 0 : 1);
  }
  /** Says again what isn't acknowledged, later and later. */
  function repeat(): void {
    if (!link.isUp()) return;
    // Not by the clock, which someone may set back.
    const now = performance.now();
    for (const { kind, id, at, data } of [...(unheard ? [unheard] : []), ...journal.unsent.values()]) {
      const state = tries.get(id) ?? { count: 0, nextAt: 0 };
      if (state.nextAt > now) continue;
      link.send(kind, { v: PROTOCOL_VERSION, id, at, data }, 1);
      tries.set(id, {
        count: state.count + 1,
        nextAt: now + (REPEAT_SECONDS[Math.min(state.count, REPEAT_SECONDS.length - 1)] ?? 60) * 1000 * (0.8 + random() * 0.4),
      });
    }
  }
  function hello(): void {
    const { network, storage, battery, position } = body.figures();
    const settings = reportedSettings(journal);
    const androidParams = reportedParams(journal.settings);
    // Grows though the clock is set back; the clock helps out where the journal was lost.
    journal.helloOrder = Math.max(journal.helloOrder + 1, Date.now());
    journal.save();
    const { data, left } = fitHello({
      product: body.product,
      model: body.model,
      agent: AGENT,
      capabilities: [...body.capabilities],
      timeZone: body.timeZone(),
      configRevision: journal.configRevision,
      session,
      order: journal.helloOrder,
      ...(network ? { network } : {}),
      ...(storage ? { storage } : {}),
      ...(battery === undefined ? {} : { battery }),
      ...(position ? { position } : {}),
      ...body.facts(),
      apps: reportedApps(journal, body),
      ...reportedParts(journal, body),
      ...(Object.keys(settings).length > 0 ? { settings } : {}),
      ...(Object.keys(androidParams).length > 0 ? { androidParams } : {}),
    });
    if (left > 0) log('apps left out', { count: left });
    if (unheard) tries.delete(unheard.id);
    unheard = { kind: 'hello', id: randomUUID(), at: new Date().toISOString(), data };
    repeat();
  }

  function take(kind: string, payload: Buffer): void {
    if (!(downKinds as readonly string[]).includes(kind)) return;
    let raw: unknown;
    try {
      raw = JSON.parse(payload.toString());
    } catch {
      return;
    }
    const envelope = Envelope.safeParse(raw);
    if (!envelope.success) return;
    options.clock.observe(envelope.data.at);
    const data = downMessages[kind as DownKind].safeParse(envelope.data.data);
    if (!data.success) {
      log('unreadable', { kind, issues: data.error.issues.slice(0, 3) });
      return;
    }
    if (kind === 'ack') {
      const { id } = data.data as DownRead['ack'];
      tries.delete(id);
      if (unheard?.id === id) unheard = undefined;
      if (journal.unsent.delete(id)) journal.save();
    } else if (kind === 'offer') takeOffer(data.data as DownRead['offer']);
    else if (kind === 'cancel') answer(envelope.data.id, () => cancel(data.data as DownRead['cancel']));
    else if (kind === 'config') answer(envelope.data.id, () => configure(data.data as DownRead['config']));
    else answer(envelope.data.id, () => command(envelope.data.id, data.data as DownRead['command']));
  }
  /** Once for each message id: a repeated message gets the same answer again. */
  function answer(to: string, act: () => Promise<Done> | Done): void {
    const known = journal.answers.get(to);
    if (known) publish('reply', known as Up['reply'], `r-${to}`.slice(0, 64));
    if (known || running.has(to)) return;
    running.add(to);
    void Promise.resolve()
      .then(act)
      .catch((error: unknown): Done => ({ ok: false, reason: 'unknown', message: String(error).slice(0, 200) }))
      .then((done) => {
        running.delete(to);
        const reply: Up['reply'] = {
          to,
          outcome: done.ok ? 'done' : 'failed',
          ...(done.reason ? { reason: done.reason } : {}),
          ...(done.message ? { message: done.message } : {}),
          ...(done.output === undefined ? {} : { output: done.output }),
        };
        journal.answers.set(to, reply);
        publish('reply', reply, `r-${to}`.slice(0, 64));
        // The answer goes out first.
        if (done.thenReboot) setTimeout(() => void agent.reboot(), 500);
      });
  }
  async function command(id: string, order: DownRead['command']): Promise<Done> {
    if (Date.parse(order.expiresAt) <= options.clock.now().getTime()) return { ok: false, reason: 'expired' };
    const done = await body.command(order.command, order.params);
    const text = done.log;
    if (text !== undefined) {
      const count = Math.max(1, Math.ceil(text.length / LOG_PIECE));
      for (let part = 0; part < count; part += 1)
        publish(
          'log',
          { to: id, part, last: part === count - 1, text: text.slice(part * LOG_PIECE, (part + 1) * LOG_PIECE) },
          `l${part}-${id}`.slice(0, 64),
        );
    }
    return done;
  }
  function configure(config: DownRead['config']): Done {
    if (config.revision > journal.configRevision) {
      journal.configRevision = config.revision;
      journal.config = config.values;
      journal.save();
      hello();
    }
    return { ok: true };
  }
  function cancel({ offer }: DownRead['cancel']): Done {
    const entry = journal.offers.get(offer);
    if (entry?.stage === 'installing') return { ok: false, reason: 'installing' };
    if (entry?.stage === 'received') {
      journal.offers.set(offer, { stage: 'ended' });
      journal.save();
      work.abort(offer);
      work = new AbortController();
    }
    return { ok: true };
  }
  function takeOffer(offer: DownRead['offer']): void {
    const entry = journal.offers.get(offer.offer);
    if (entry?.stage === 'ended') {
      if (entry.result) publish('result', entry.result as Up['result'], `o-${offer.offer}`.slice(0, 64));
      return;
    }
    publish('progress', { offer: offer.offer, phase: 'received', percent: 0 });
    if (entry) return;
    journal.offers.set(offer.offer, { stage: 'received', offer });
    journal.save();
    queue(offer);
  }
  /** One offer at a time, in the order in which they came. */
  function queue(offer: DownRead['offer'], atStart = false): void {
    busy += 1;
    chain = chain
      .then(() => carryOut(offer, atStart))
      .catch((error: unknown) => log('offer', String(error)))
      .finally(() => {
        busy -= 1;
      });
  }
  const wait = (signal: AbortSignal) => (seconds: number) =>
    new Promise<void>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(new Error('aborted'));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, seconds * 1000);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
  const toolsFor = (offer: DownRead['offer'], atStart: boolean, signal: AbortSignal): OfferTools => ({
    body,
    journal,
    random,
    signal,
    server: options.server,
    releaseRoot: options.releaseRoot,
    ca: options.ca,
    isUp: link.isUp,
    atStart,
    now: options.clock.now,
    wait: wait(signal),
    downloaded: (bytes) => {
      downloaded += bytes;
    },
    progress: (progress) => publish('progress', { offer: offer.offer, percent: 0, ...progress }),
  });
  async function carryOut(offer: DownRead['offer'], atStart: boolean): Promise<void> {
    const entry = journal.offers.get(offer.offer);
    if (stopped || entry?.stage !== 'received') return;
    const { signal } = work;
    let result: Up['result'] | 'powerLost';
    try {
      result = await runOffer(offer, toolsFor(offer, atStart, signal));
    } catch (error) {
      // The next start finds it in the journal.
      if (signal.reason === 'reboot') return;
      // Cancelled, or another offer was and this one begins again.
      if (signal.aborted && !stopped && entry.stage === 'received') return carryOut(offer, atStart);
      if (signal.aborted) return;
      result = { offer: offer.offer, outcome: 'failure', reason: 'unknown', message: String(error).slice(0, 200) };
    }
    if (result === 'powerLost') return agent.reboot();
    finish(offer, result);
  }
  function finish(offer: DownRead['offer'], result: Up['result']): void {
    journal.offers.set(offer.offer, { stage: 'ended', result });
    publish('result', result, `o-${offer.offer}`.slice(0, 64));
    if (result.outcome === 'success') hello();
    log('result', result);
  }
  /** What a start finds: offers that came, and those that were cut off in the middle. */
  function boot(): void {
    for (const { stage, offer } of journal.offers.values()) {
      if (!offer) continue;
      if (stage === 'received') queue(offer, true);
      else if (stage === 'installing') finish(offer, afterPowerLoss(offer, toolsFor(offer, true, work.signal)));
    }
    link.open();
    repeating = setInterval(repeat, 1000);
  }

  const agent: Agent = {
    sn: body.sn,
    journal,
    isUp: link.isUp,
    busy: () => busy,
    start: boot,
    cut: link.cut,
    event: (name, level, params = {}) => publish('event', { name, level, params }),
    async reboot() {
      clearInterval(repeating);
      work.abort('reboot');
      link.cut();
      await link.close();
      await new Promise((resolve) => setTimeout(resolve, body.bootSeconds * 1000));
      if (stopped) return;
      work = new AbortController();
      boot();
    },
    async stop() {
      stopped = true;
      clearInterval(repeating);
      clearInterval(beating);
      work.abort('stop');
      await link.close({ v: PROTOCOL_VERSION, id: randomUUID(), at: new Date().toISOString(), data: { reason: 'stopped', session } });
    },
  };
  return agent;
}
