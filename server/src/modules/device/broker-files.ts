import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { readConfig } from '../../platform/config/config.ts';
import { loadMasterKey } from '../../platform/config/master-key.ts';
import { openPools } from '../../platform/db/pools.ts';
import { makeHouse } from '../../platform/house.ts';
import { writeBrokerFiles } from './write-broker-files.ts';

// Run by an operator: node server/src/modules/device/broker-files.ts --folder /etc/mosquitto/mooring --host broker.example.com
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: './broker' },
    host: { type: 'string', default: '0.0.0.0' },
    port: { type: 'string', default: '8883' },
    'server-host': { type: 'string', default: '127.0.0.1' },
    'server-port': { type: 'string', default: '8884' },
  },
});
const config = readConfig(process.env, []);
if (!config.DATABASE_URL) throw new Error('DATABASE_URL is needed: the device authority is kept there');
const pools = openPools(config.DATABASE_URL, { max: 2 });
const house = makeHouse({ config, pools, masterKey: loadMasterKey(config.MASTER_KEY, config.DATA_DIR), log: pino({ level: 'warn' }) });
await writeBrokerFiles(house, {
  folder: values.folder,
  host: values.host,
  port: Number(values.port),
  serverHost: values['server-host'],
  serverPort: Number(values['server-port']),
});
await pools.end();
process.stdout.write(
  `Written to ${values.folder}. Start Mooring with BROKER_FILES=${values.folder} and BROKER_RELOAD, a command that sends SIGHUP to mosquitto.\n`,
);
