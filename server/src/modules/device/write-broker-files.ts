import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppContext } from '../../platform/app-context.ts';
import { loadDeviceAuthority, ownNames } from '../../platform/gateway/device-authority.ts';
import { type MosquittoOptions, mosquittoConfig, SERVER_NAME } from '../../platform/gateway/mosquitto-config.ts';

/** The broker's own key is for it and this server, this server's for nobody else. */
const modeOf = (name: string) => (name === 'server.key' ? 0o600 : name.endsWith('.key') ? 0o640 : 0o644);

/** Everything that a Mosquitto for terminals needs, and this server's own certificate for it (docs/device-protocol.md). */
export async function writeBrokerFiles(app: AppContext, options: MosquittoOptions): Promise<void> {
  const authority = await loadDeviceAuthority(app);
  const broker = await authority.server(ownNames(options.host));
  const server = await authority.broker(SERVER_NAME);
  mkdirSync(options.folder, { recursive: true });
  const files: Record<string, string> = {
    ...mosquittoConfig(options),
    'ca.pem': `${authority.root.trim()}\n${authority.issuer.trim()}\n`,
    'crl.pem': await authority.crl(),
    'broker.pem': broker.cert,
    'broker.key': broker.key,
    'server.pem': server.cert,
    'server.key': server.key,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(options.folder, name), text, { mode: modeOf(name) });
  // One that was there before keeps its rights otherwise.
  for (const name of Object.keys(files)) chmodSync(join(options.folder, name), modeOf(name));
}
