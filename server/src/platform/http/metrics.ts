import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { House } from '../house.ts';
import type { Module } from '../module.ts';

export interface Metrics {
  observe(path: string, code: number, seconds: number): void;
  serve(app: FastifyInstance): void;
}

/** Prometheus metrics of this process. Open to loopback only: a proxy that publishes the console must not publish them. */
export function startMetrics(house: House, modules: readonly Module[]): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const calls = new Histogram({
    name: 'mooring_call_seconds',
    help: 'Calls by path and code',
    labelNames: ['path', 'code'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
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
        const pool = house.pools[name];
        this.set({ pool: name, use: 'open' }, pool.totalCount);
        this.set({ pool: name, use: 'waiting' }, pool.waitingCount);
      }
    },
  });
  for (const [name, { help, label, read }] of modules.flatMap((module) => Object.entries(module.gauges ?? {}))) {
    new Gauge({
      name: `mooring_${name}`,
      help,
      labelNames: label ? [label] : [],
      registers: [registry],
      collect() {
        const now = read();
        if (typeof now === 'number') this.set(now);
        else if (label) for (const [value, figure] of Object.entries(now)) this.set({ [label]: value }, figure);
      },
    });
  }
  return {
    observe: (path, code, seconds) => calls.observe({ path, code: String(code) }, seconds),
    serve(app) {
      app.get('/metrics', async (request, reply) => {
        if (!/^(127\.|::1$|::ffff:127\.)/.test(request.ip)) return reply.code(404).send();
        return reply.type(registry.contentType).send(await registry.metrics());
      });
    },
  };
}
