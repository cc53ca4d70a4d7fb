import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { addUser } from '../src/modules/account/api.ts';
import { openSession } from '../src/modules/auth/api.ts';
import { makeModules } from '../src/modules/modules.ts';
import { addDept, type DeptAt } from '../src/modules/org/api.ts';
import type { AppContext } from '../src/platform/app-context.ts';
import { type Config, readConfig } from '../src/platform/config/config.ts';
import { runJobs as runQueued } from '../src/platform/jobs/worker.ts';
import type { Job } from '../src/platform/module.ts';
import { start } from '../src/start.ts';
import { startedDatabase } from './database.ts';

export interface Envelope<B = unknown> {
  readonly code: number;
  readonly body: B;
  readonly message: string;
}
export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: unknown;
}

export interface Client {
  readonly token: string;
  readonly userId: number;
  /** The body, or an error that names what went wrong: for what should work. */
  call<C extends Call>(call: C, input?: InputOf<C>): Promise<OutputOf<C>>;
  /** The envelope as it came, for what should not. */
  send(
    call: Call,
    input?: unknown,
    sent?: Sent,
  ): Promise<Envelope<{ fault?: string; fields?: Record<string, { key: string }> } | null> & { status: number }>;
}

export interface TestApp {
  readonly context: AppContext;
  readonly http: FastifyInstance;
  readonly url: string;
  readonly dataDir: string;
  /** A person in a department with a seeded role, signed in. */
  person(role: string, dept: DeptAt, platform?: 'centre' | 'manager'): Promise<Client>;
  dept(name: string, parent?: DeptAt): Promise<DeptAt>;
  readonly root: DeptAt;
  /** The clock of the server, moved by hand. */
  readonly clock: { now: Date };
  runJobs(): Promise<void>;
  /** Of what is queued the jobs of one name. */
  runJob(name: string): Promise<void>;
  stop(): Promise<void>;
}

export interface TestAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly services?: Config['services'];
  readonly realClock?: boolean;
  /** Where its log goes, all of it, for a test that reads it. */
  readonly logTo?: { write(line: string): void };
}

const fill = (path: string, input: Record<string, unknown>) =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(input[name])));

export function clientOf(http: FastifyInstance, token: string, userId: number, platform: string, deptId: number): Client {
  const send: Client['send'] = async (call, input = {}, sent = {}) => {
    const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '');
    const rest = Object.fromEntries(Object.entries((input ?? {}) as Record<string, unknown>).filter(([key]) => !inPath.includes(key)));
    const query =
      call.method === 'GET'
        ? `?${new URLSearchParams(Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])))}`
        : '';
    const answer = await http.inject({
      method: call.method,
      url: `/ops${fill(call.path, input as Record<string, unknown>)}${query}`,
      headers: {
        authorization: token,
        'accept-platform': platform,
        'accept-deptid': String(deptId),
        'accept-language': 'en',
        'time-zone': 'UTC',
        ...(call.method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...sent.headers,
      },
      ...(call.method === 'POST' ? { payload: JSON.stringify('payload' in sent ? sent.payload : rest) } : {}),
    });
    return { ...(JSON.parse(answer.body) as Envelope<null>), status: answer.statusCode };
  };
  return {
    token,
    userId,
    send,
    async call(call, input) {
      const envelope = await send(call, input);
      if (envelope.code !== 200) throw new Error(`${call.path}: ${envelope.code} ${JSON.stringify(envelope.body)} ${envelope.message}`);
      return envelope.body as never;
    },
  };
}

/** The whole server on a database of its own, without a port: calls go in by injection. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await startedDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mooring-test-'));
  const clock = { now: new Date() };
  const read = readConfig({ DATA_DIR: dataDir, DATABASE_POOL: '4', LOG_LEVEL: process.env.TEST_LOG ?? 'silent', ...options.env }, []);
  const config: Config = { ...read, services: options.services ?? ['http'] };
  const started = await start(
    config,
    database.url,
    options.logTo ? pino({ level: 'trace' }, options.logTo) : pino({ level: config.LOG_LEVEL }),
    options.realClock ? {} : { now: () => clock.now },
  );
  const { app, http } = started;
  if (!http) throw new Error('a test app serves http');
  await http.ready();
  let own: ReturnType<typeof makeModules> | undefined;
  let people = 0;
  const runThose = (which: (job: Job) => boolean) => {
    // As a worker of its own has them; most tests run no jobs, and to make them takes longer than many a call.
    own ??= makeModules(app);
    return runQueued(app, own.authenticator, own.modules.flatMap((module) => module.jobs ?? []).filter(which));
  };
  return {
    context: app,
    http,
    url: database.url,
    dataDir,
    clock,
    root: { id: 1, path: '1.' },
    dept: (name, parent = { id: 2, path: '1.2.' }) => app.unscoped((db) => addDept(db, { kind: 'organisation', name, parent })),
    person: (role, dept, platform = 'centre') =>
      app.unscoped(async (db) => {
        people += 1;
        const userId = await addUser(db, {
          account: `person${people}`,
          name: `Person ${people}`,
          email: `person${people}@example.com`,
          password: `Good.Word${people}x`,
          userType: '1',
          manager: true,
          dept,
          roles: [role],
        });
        const token = await openSession(db, userId, platform, '127.0.0.1', 'test');
        return clientOf(http, token, userId, platform, platform === 'centre' ? 0 : dept.id);
      }),
    runJobs: () => runThose(() => true),
    runJob: (name) => runThose((one) => one.name === name),
    async stop() {
      await started.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
