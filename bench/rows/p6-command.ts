import { freePort } from '@mooring/server/platform/free-port';
import { askCall, startApp } from '../app.ts';
import type { AedesOrder } from '../fleet/aedes-process.ts';
import { startMosquitto, startNats } from '../fleet/brokers.ts';
import { type Fleet, startChild, startTerminals } from '../fleet/fleet.ts';
import { FLEET, openFleetEstate } from '../fleet/fleet-estate.ts';
import { type Hub, mqttHub, natsHub } from '../fleet/hub.ts';
import { alternate, median } from '../measure.ts';
import { atLeast, type Figure, missing, type Row, reported } from '../row.ts';

const ROUNDS = 5;
const COMMAND = { kind: 'message', params: { title: 'Bench', text: 'One durable command to every terminal in contact.', seconds: 5 } };
/** What the server sends, with no row behind it. */
const WIRE = JSON.stringify({
  v: 1,
  id: 'ID',
  at: new Date().toISOString(),
  data: { command: COMMAND.kind, params: COMMAND.params, seq: 1_000_000, expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
});

const rateOf = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now();
  await work();
  return FLEET / ((performance.now() - started) / 1000);
};

async function run(): Promise<readonly Figure[]> {
  const estate = await openFleetEstate();
  const stops: (() => unknown)[] = [() => estate.stop()];
  const fleetOn = async (port: number, protocol: 'mqtt' | 'nats', hello: boolean): Promise<Fleet> => {
    const fleet = await startTerminals({ port, protocol, hello, terminals: estate.plain() });
    stops.push(() => fleet.stop());
    return fleet;
  };
  const anchor = async (
    broker: { port: number; stop: () => unknown } | undefined,
    open: (port: number) => Promise<Hub>,
    protocol: 'mqtt' | 'nats',
  ) => {
    if (!broker) return undefined;
    stops.push(() => broker.stop());
    await fleetOn(broker.port, protocol, false);
    const hub = await open(broker.port);
    stops.push(() => hub.stop());
    return hub;
  };
  try {
    const port = await freePort();
    const app = await startApp({ DATABASE_URL: estate.url, MQTT_PORT: String(port) });
    stops.push(() => app.stop());
    const token = await estate.session('platformAdmin', 1);
    const fleet = await fleetOn(port, 'mqtt', true);
    const aedes = startChild<AedesOrder>('aedes-process.ts');
    stops.push(() => aedes.stop());
    await fleetOn(await aedes.tell<number>({ do: 'listen' }), 'mqtt', false);
    const mosquitto = await anchor(await startMosquitto(), (at) => mqttHub(at, 'reply'), 'mqtt');
    const nats = await anchor(await startNats(), natsHub, 'nats');
    const sns = estate.plain().map((one) => one.sn);

    const durable = async () => {
      const { acks } = await fleet.counts();
      await askCall(app.url, '/device/command', token, { of: { criteria: { tag: 'fleet' } }, command: COMMAND });
      // A terminal hears that its answer is kept only after the commit.
      await fleet.until((now) => now.acks >= acks + FLEET, 120);
    };
    const found = await alternate(
      {
        ours: () => rateOf(durable),
        aedes: () => rateOf(() => aedes.tell<void>({ do: 'command', sns, text: WIRE })),
        mosquitto: async () => (mosquitto ? rateOf(() => mosquitto.command(sns, WIRE)) : Number.NaN),
        nats: async () => (nats ? rateOf(() => nats.command(sns, WIRE)) : Number.NaN),
      },
      ROUNDS,
    );
    const [kept] = await estate.query<{ n: number }>(
      `select count(*)::int as n from gateway_outbox where topic = 'command' and state = 'done'`,
    );
    if (kept?.n !== FLEET * (ROUNDS + 1)) throw new Error(`${kept?.n} of ${FLEET * (ROUNDS + 1)} commands are done`);
    const ours = median(found.ours);
    return [
      atLeast('commands a second, from the call to the last commit, against bare aedes', ours, median(found.aedes), 0.5, '/s'),
      mosquitto
        ? reported('against Mosquitto', ours, '/s', median(found.mosquitto))
        : missing('against Mosquitto', ours, '/s', 'mosquitto'),
      nats ? reported('against nats-server', ours, '/s', median(found.nats)) : missing('against nats-server', ours, '/s', 'nats-server'),
    ];
  } finally {
    await estate.query(`delete from gateway_outbox where topic = 'command'`);
    await estate.query(`delete from state_change where life in ('deviceCommand', 'device')`);
    for (const stop of stops.reverse()) await stop();
  }
}

export const p6: Row = { id: 'P6', work: 'one durable command to 15,000 connected terminals until the last answer is committed', run };
