import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeBrokerFiles } from '@mooring/server/modules/device/write-broker-files';
import { withApp } from '@mooring/server/platform/command-app';
import { prepareDatabase } from '@mooring/server/platform/db/prepare';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

/** The broker ends its rights before it reads its files; nobody else needs them. */
function giveTo(group: string, folder: string): void {
  const own = readdirSync(folder).filter((name) => name !== 'server.key');
  try {
    execFileSync('chgrp', [group, folder, ...own.map((name) => join(folder, name))], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr?.toString().trim();
    throw new Error(
      `The files in ${folder} could not be given to the group ${group}: ${said || String(error)}. Run this as root, or as a member of that group.`,
    );
  }
  chmodSync(folder, 0o750);
}

await orSay(async () => {
  const { values } = commandOf('broker-files');
  const folder = resolve(values.folder ?? '');
  await withInstallation({ mayRun: true }, async (installation) => {
    // Before the first start there is neither a role nor a key.
    await prepareDatabase(installation.url);
    await withApp(installation, (app) =>
      writeBrokerFiles(app, {
        folder,
        host: values.host ?? '',
        port: Number(values.port),
        serverHost: values['server-host'] ?? '',
        serverPort: Number(values['server-port']),
      }),
    );
  });
  if (values.group) giveTo(values.group, folder);
  const server = `mqtts://${values['server-host']}:${values['server-port']}`;
  console.log(`Written to ${folder}. Start the broker with ${join(folder, 'mosquitto.conf')}, and Mooring with these settings:
  MQTT_URL=${server}
  MQTT_DEVICE_URL=mqtts://<the broker's address for terminals>:${values.port}
  MQTT_CA=${join(folder, 'ca.pem')}
  MQTT_CERT=${join(folder, 'server.pem')}
  MQTT_KEY=${join(folder, 'server.key')}
  BROKER_FILES=${folder}
  BROKER_RELOAD='pkill -HUP -x mosquitto'`);
});
