import { randomUUID } from 'node:crypto';
import { PROTOCOL_VERSION } from '@mooring/contract/device/limits';
import type { LogLevel } from '@mooring/contract/device/log/log-lines';
import { type DownRead, downMessages, Envelope, type Up } from '@mooring/contract/device/messages';
import { ackedKinds, type DownKind, downKinds, type UpKind } from '@mooring/contract/device/topics';
import { codeOf, recheckApps, saidOfApps } from './apps.ts';
import type { Body, Done } from './body.ts';
import { fitHello } from './fit-hello.ts';
import type { Journal, Unsent } from './journal.ts';
import { type Credentials, makeLink } from './link.ts';
import { makeLogSender } from './log-sender.ts';
import { isPackage, isSettings, isUninstall } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { reportedParts } from './parts.ts';
import type { Random } from './random.ts';
import { askedIn } from './run-log.ts';
import { afterPowerLoss, runOffer } from './run-offer.ts';
import type { ServerClock } from './server-clock.ts';
import { reportedParams, reportedSettings } from './settings.ts';
import { testHardware } from './test-hardware.ts';
import { obeyThing } from './things.ts';
import { alone, aside, makeTurns, type Turn } from './turns.ts';
import { waiting } from './waiting.ts';

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
  /** Says anew what it is: something of it was changed at the terminal itself. */
  changed(): void;
  property(values: Up['property']['values']): void;
  event(name: string, level: 'info' | 'warning' | 'alarm', params?: Record<string, never> | Record<string, number | string>): void;
}

const REPEAT_SECONDS = [5, 10, 20, 40, 60];
const AGENT = 'mooring-agent/0.1';

/** The terminal's side of the protocol (docs/device-protocol.md). */
export function makeAgent(options: AgentOptions): Agent {
  const { body, journal, random } = options;
  const log = options.log ?? (() => {});
  const noted = (level: LogLevel, text: string) => body.runLog.add(level, 'agent', text);
  let session = randomUUID();
  /** Of each offer that is being carried out. */
  const works = new Map<string, AbortController>();
  let beating: NodeJS.Timeout | undefined;
  let repeating: NodeJS.Timeout | undefined;
  const turns = makeTurns();
  let starts = 0;
  let stopped = false;
  const tries = new Map<string, { count: number; nextAt: number }>();
  const running = new Set<string>();
  /** The newest hello until it is acknowledged. The next start says one of its own. */
  let unheard: Unsent | undefined;
  const unkept = new Map<string, Unsent & { readonly arrived: () => void }>();

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
      noted('info', 'connected');
      hello();
      sayInLine();
      tellThings();
      clearInterval(beating);
      beating = setInterval(() => beat(), options.heartbeatSeconds * 1000 * (0.9 + random() * 0.2));
    },
    onDown() {
      noted('info', 'disconnected');
      clearInterval(beating);
    },
    onMessage: (kind, payload) => take(kind, payload),
  });

  const logs = makeLogSender(
    body.runLog,
    journal,
    (data) => publish('log', data),
    (data) => tell('log', data),
  );

  function beat(): void {
    const { counters, ...figures } = body.figures();
    const { received, sent } = link.traffic();
    publish('beat', { ...figures, counters: { ...counters, rxBytes: received + downloaded, txBytes: sent } });
  }
  /** What was told while nobody listened is told again. */
  function tellThings(): void {
    if (body.things) publish('property', { values: body.things.values() });
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
  /** Of what is told again from its beginning after a loss of power nothing is written down. Done when it has arrived. */
  function tell<K extends UpKind>(kind: K, data: Up[K]): Promise<void> {
    const id = randomUUID();
    return new Promise((arrived) => {
      unkept.set(id, { kind, id, at: new Date().toISOString(), data, arrived });
      repeat();
    });
  }
  /** Says again what isn't acknowledged, later and later. */
  function repeat(): void {
    if (!link.isUp()) return;
    // Not by the clock, which someone may set back.
    const now = performance.now();
    for (const { kind, id, at, data } of [...(unheard ? [unheard] : []), ...journal.unsent.values(), ...unkept.values()]) {
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
      ...saidOfApps(journal, body),
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
      const told = unkept.get(id);
      unkept.delete(id);
      told?.arrived();
      if (journal.unsent.delete(id)) journal.save();
    } else if (kind === 'offer') {
      const offer = data.data as DownRead['offer'];
      if (isPackage(offer) || isSettings(offer) || isUninstall(offer)) takeOffer(offer);
      else answer(envelope.data.id, () => takeWindow(offer));
    } else if (kind === 'cancel') answer(envelope.data.id, () => cancel(data.data as DownRead['cancel']));
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
    body.runLog.add('info', 'agent', `command ${order.command}`);
    if (order.command === 'hardwareTest') return testHardware(body, order.params, (data) => publish('test', { to: id, ...data }));
    const done = await obeyThing(body.things, journal, order, (values) => publish('property', { values }));
    if (done) return done;
    if (order.command !== 'logPull') return body.command(order.command, order.params);
    const asked = askedIn(order.params);
    await logs.answer(id, (await body.pullLog?.(asked)) ?? body.runLog.select(asked));
    return { ok: true };
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
      works.get(offer)?.abort('cancel');
    }
    return { ok: true };
  }
  /** Without content: the window of an offer that came before is another. Whoever waits for it looks at it again and again. */
  function takeWindow({ offer, window }: DownRead['offer']): Done {
    const entry = journal.offers.get(offer);
    if (entry?.stage === 'installing') return { ok: false, reason: 'installing' };
    if (entry?.stage === 'received' && entry.offer) {
      entry.offer.window = window;
      journal.save();
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
    noted('info', `offered ${offer.kind} ${offer.package?.version ?? ''}`.trimEnd());
    journal.offers.set(offer.offer, { stage: 'received', offer });
    journal.save();
    queue(offer);
  }
  /** One offer downloads or installs at a time, in the order in which they came; one that waits for its window or its user lets others pass. */
  function queue(offer: DownRead['offer'], atStart = false): void {
    const start = starts;
    const turn = turns.take(offer.offer);
    sayInLine();
    // Those that were in line when it went down stand in it anew.
    void turn
      .then((taken) => (start === starts ? carryOut(offer, atStart, taken) : Promise.resolve()).finally(taken.end))
      .catch((error: unknown) => log('offer', String(error)));
  }
  function sayInLine(): void {
    for (const offer of turns.inLine()) publish('progress', { offer, phase: 'waiting', percent: 0, reason: 'queue' });
  }
  const toolsFor = (offer: DownRead['offer'], atStart: boolean, signal: AbortSignal, turn: Turn): OfferTools => ({
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
    wait: (seconds) => aside(turn, signal)(() => waiting(signal)(seconds)),
    aside: aside(turn, signal),
    downloaded: (bytes) => {
      downloaded += bytes;
    },
    progress: (progress) => publish('progress', { offer: offer.offer, percent: 0, ...progress }),
  });
  async function carryOut(offer: DownRead['offer'], atStart: boolean, turn: Turn): Promise<void> {
    const entry = journal.offers.get(offer.offer);
    if (stopped || entry?.stage !== 'received') return;
    const work = new AbortController();
    const { signal } = work;
    works.set(offer.offer, work);
    const before = codeOf(offer, { journal, body });
    let result: Up['result'] | 'powerLost';
    try {
      result = await runOffer(offer, toolsFor(offer, atStart, signal, turn));
    } catch (error) {
      // Cancelled, or the next start finds it in the journal.
      if (signal.aborted) return;
      result = { offer: offer.offer, outcome: 'failure', reason: 'unknown', message: String(error).slice(0, 200) };
    } finally {
      if (works.get(offer.offer) === work) works.delete(offer.offer);
    }
    if (result === 'powerLost') return agent.reboot();
    finish(offer, result, codeOf(offer, { journal, body }) !== before);
  }
  function abortAll(reason: 'reboot' | 'stop'): void {
    for (const work of works.values()) work.abort(reason);
  }
  function finish(offer: DownRead['offer'], result: Up['result'], isPartly = false): void {
    journal.offers.set(offer.offer, { stage: 'ended', result });
    publish('result', result, `o-${offer.offer}`.slice(0, 64));
    // Of an app and its parameters the app may be there.
    if (result.outcome === 'success' || isPartly) hello();
    const said = `${offer.kind} ${offer.task?.name ?? offer.offer}: ${[result.outcome, result.reason, result.message].filter(Boolean).join(', ')}`;
    noted(result.outcome === 'success' ? 'info' : 'error', said);
    log('result', result);
  }
  /** What a start finds: offers that came, and those that were cut off in the middle. */
  function boot(): void {
    for (const { stage, offer } of journal.offers.values()) {
      if (!offer) continue;
      if (stage === 'received') queue(offer, true);
      else if (stage === 'installing') finish(offer, afterPowerLoss(offer, toolsFor(offer, true, new AbortController().signal, alone)));
    }
    recheckApps(journal, body).catch((error: unknown) => noted('warn', String(error)));
    link.open();
    repeating = setInterval(repeat, 1000);
  }

  const agent: Agent = {
    sn: body.sn,
    journal,
    isUp: link.isUp,
    busy: turns.count,
    start: boot,
    cut: link.cut,
    changed: hello,
    property: (values) => publish('property', { values }),
    event: (name, level, params = {}) => publish('event', { name, level, params }),
    async reboot() {
      clearInterval(repeating);
      abortAll('reboot');
      starts += 1;
      link.cut();
      await link.close();
      await new Promise((resolve) => setTimeout(resolve, body.bootSeconds * 1000));
      if (!stopped) boot();
    },
    async stop() {
      stopped = true;
      clearInterval(repeating);
      clearInterval(beating);
      logs.stop();
      abortAll('stop');
      await link.close({ v: PROTOCOL_VERSION, id: randomUUID(), at: new Date().toISOString(), data: { reason: 'stopped', session } });
    },
  };
  return agent;
}
