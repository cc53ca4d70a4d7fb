import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AppContext } from '../app-context.ts';
import { type CountName, counted } from '../counts.ts';
import type { Module } from '../module.ts';
import { appFigures } from './app-figures.ts';
import { tokenOf } from './mount.ts';

export interface Metrics {
  observe(path: string, code: number, seconds: number): void;
  serve(http: FastifyInstance): void;
}

const SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10];
const PATIENCE_MS = 3000;
const digest = (text: string) => createHash('sha256').update(text).digest();

/** This machine's own, or who has the token: what it tells isn't for everybody. */
function mayRead(app: AppContext, request: FastifyRequest): boolean {
  const { METRICS_TOKEN: wanted } = app.config;
  const given = tokenOf(request);
  if (wanted && given) return timingSafeEqual(digest(wanted), digest(given));
  return /^(127\.|::1$|::ffff:127\.)/.test(request.ip);
}

function addModules(registry: Registry, modules: readonly Module[]): void {
  for (const [name, { help, label, type, read }] of modules.flatMap((module) => Object.entries(module.gauges ?? {}))) {
    const labelNames = label ? [label] : [];
    const now = (): [Record<string, string>, number][] => {
      const figures = read();
      if (typeof figures === 'number') return [[{}, figures]];
      return Object.entries(figures).map(([value, figure]) => [label ? { [label]: value } : {}, figure]);
    };
    if (type === 'counter')
      new Counter({
        name: `mooring_${name}_total`,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset();
          for (const [labels, figure] of now()) this.inc(labels, figure);
        },
      });
    else
      new Gauge({
        name: `mooring_${name}`,
        help,
        labelNames,
        registers: [registry],
        collect() {
          this.reset();
          for (const [labels, figure] of now()) this.set(labels, figure);
        },
      });
  }
}

function addCounts(registry: Registry, app: AppContext): void {
  for (const [name, { help, labels }] of Object.entries(counted)) {
    new Counter({
      name: `mooring_${name}_total`,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels: of, value } of app.counts.of(name as CountName)) this.inc(of, value);
      },
    });
  }
}

/** What the database or a disk knows. A figure that can't be had is left out, and counted, so that one that is missing is seen. */
function addAppFigures(registry: Registry, app: AppContext): void {
  let missing = 0;
  let told = 0;
  for (const [name, { help, labels, read }] of Object.entries(appFigures)) {
    new Gauge({
      name: `mooring_${name}`,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        this.reset();
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
        });
        try {
          for (const figure of await Promise.race([read(app), late])) this.set(figure.labels, figure.value);
        } catch (error) {
          missing += 1;
          app.log.debug({ figure: name, error: String(error) }, 'a figure of /metrics is missing');
        } finally {
          clearTimeout(timer);
        }
      },
    });
  }
  new Counter({
    name: 'mooring_figures_missing_total',
    help: 'Figures that could not be had when they were asked for, as while the database is away',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(missing - told);
      told = missing;
    },
  });
}

/** Prometheus metrics. To loopback, and to who has METRICS_TOKEN: a proxy that publishes the console must not publish them. */
export function startMetrics(app: AppContext, modules: readonly Module[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: 'mooring_call_seconds',
    help: 'Calls by path and code',
    labelNames: ['path', 'code'],
    buckets: SECONDS,
    registers: [registry],
  });
  const terminals = new Histogram({
    name: 'mooring_terminal_request_seconds',
    help: 'Requests of terminals over HTTP: enrolment, credentials, files, by path and status',
    labelNames: ['path', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  new Counter({ name: 'mooring_starts_total', help: 'Starts of this process', registers: [registry] }).inc();
  new Gauge({
    name: 'mooring_database_connections',
    help: 'Connections by pool and use',
    labelNames: ['pool', 'use'],
    registers: [registry],
    collect() {
      for (const name of ['app', 'system', 'owner'] as const) {
        const pool = app.pools[name];
        this.set({ pool: name, use: 'open' }, pool.totalCount);
        this.set({ pool: name, use: 'waiting' }, pool.waitingCount);
      }
    },
  });
  addModules(registry, modules);
  addCounts(registry, app);
  addAppFigures(registry, app);
  return {
    observe: (path, code, seconds) => calls.observe({ path, code: String(code) }, seconds),
    serve(http) {
      http.addHook('onResponse', async (request, reply) => {
        const { url } = request.routeOptions;
        if (url?.startsWith('/d/')) terminals.observe({ path: url, status: String(reply.statusCode) }, reply.elapsedTime / 1000);
      });
      http.get('/metrics', async (request, reply) => {
        if (!mayRead(app, request)) return reply.code(404).send();
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}
