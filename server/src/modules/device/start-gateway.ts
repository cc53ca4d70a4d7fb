import { readFileSync } from 'node:fs';
import type { AppContext } from '../../platform/app-context.ts';
import type { DeviceAuthority } from '../../platform/gateway/device-authority.ts';
import { ownNames } from '../../platform/gateway/device-authority.ts';
import { type Gateway, startGateway } from '../../platform/gateway/gateway.ts';
import { makeIdentity } from '../../platform/gateway/identity.ts';
import type { MessageHandler } from '../../platform/gateway/message.ts';
import type { Intake, Transport } from '../../platform/gateway/transport.ts';
import { unprovenOf } from '../../platform/unproven.ts';
import { type TimerWheel, watchLeases } from './lose-devices.ts';
import { withoutMisfits } from './thing/fits-model.ts';
import { watchCrl } from './watch-crl.ts';

const file = (path: string | undefined) => (path ? readFileSync(path, 'utf8') : undefined);
const LOOPBACK = '127.0.0.1';
/** From so many on, the broker has a thread of its own. */
const MANY = 500;

async function wantsThread(app: AppContext): Promise<boolean> {
  if (app.config.MQTT_THREAD !== undefined) return app.config.MQTT_THREAD;
  const found = await app.unscoped((db) => db.selectFrom('device').select('id').where('deleted_at', 'is', null).limit(MANY).execute());
  return found.length === MANY;
}

/**
 * A broker of our own. In a thread of its own, no page of the console waits while thousands of terminals speak, shake hands or come back at
 * once (ADR 15); it costs a third of a small server's memory, so a small fleet is served by the same thread as all else.
 */
async function embedded(app: AppContext, authority: DeviceAuthority, wheel: TimerWheel, intake: Intake): Promise<Transport> {
  const { config } = app;
  const host = config.MQTT_HOST ?? config.HOST;
  const given =
    config.TLS_CERT && config.TLS_KEY
      ? { cert: file(config.TLS_CERT) ?? '', key: file(config.TLS_KEY) ?? '' }
      : await authority.server(ownNames(host));
  const options = {
    // Plain connections carry their token readable: on other addresses only where MQTT_HOST says so.
    host: config.MQTT_HOST ?? LOOPBACK,
    port: config.MQTT_PORT,
    tls: { host, port: config.MQTT_TLS_PORT, ...given, ca: [authority.root, authority.issuer] },
    admit: makeIdentity(app),
    unproven: unprovenOf(config),
    intake,
  };
  if (!(await wantsThread(app))) return (await import('../../platform/gateway/embedded/broker.ts')).openBroker(options);
  const { openBrokerThread } = await import('../../platform/gateway/embedded/broker-thread.ts');
  return openBrokerThread({ ...options, app, entry: new URL('./broker.thread.ts', import.meta.url), lease: wheel.set });
}

async function outside(app: AppContext, url: string, authority: DeviceAuthority, intake: Intake): Promise<Transport> {
  const { MQTT_CA, MQTT_CERT, MQTT_KEY } = app.config;
  const [ca, cert, key] = [file(MQTT_CA), file(MQTT_CERT), file(MQTT_KEY)];
  const { joinOutsideBroker } = await import('../../platform/gateway/outside-broker.ts');
  return joinOutsideBroker({
    url,
    intake,
    log: app.log,
    tls: { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) },
    ...(url.startsWith('mqtts:') ? { takeOver: authority.takeOver } : {}),
  });
}

export interface DevicePlane {
  readonly figures: Gateway['figures'];
  stop(): Promise<void>;
}

/** The device plane of this process: its broker or its place at an outside one, messages both ways, and the leases. */
export async function startDevicePlane(
  app: AppContext,
  authorityNow: () => Promise<DeviceAuthority>,
  handlers: readonly MessageHandler[],
  wheel: TimerWheel,
): Promise<DevicePlane> {
  const { MQTT_URL: url, BROKER_FILES: folder, BROKER_RELOAD: reload } = app.config;
  const authority = await authorityNow();
  const gateway = await startGateway({
    app,
    handlers,
    beforeSending: withoutMisfits,
    transports: [(intake) => (url ? outside(app, url, authority, intake) : embedded(app, authority, wheel, intake))],
  });
  const stopLeases = watchLeases(app, wheel);
  const cut = async (sn: string) => void (await Promise.all(gateway.transports.map((transport) => transport.cut(sn))));
  const stopCrl = folder ? watchCrl(app, { folder, reload, authority: authorityNow, cut }) : undefined;
  return {
    figures: gateway.figures,
    async stop() {
      await stopCrl?.();
      await gateway.stop();
      await stopLeases();
    },
  };
}
