import { pino } from 'pino';
import { readConfig } from './config/config.ts';
import { loadMasterKey } from './config/master-key.ts';
import { openPools } from './db/pools.ts';
import { type House, makeHouse } from './house.ts';

/** What an operator's command does with the server's own parts, on an installation whose database runs. */
export async function withHouse<T>({ url, dataDir }: { url: string; dataDir: string }, work: (house: House) => Promise<T>): Promise<T> {
  const config = { ...readConfig(process.env, []), DATA_DIR: dataDir };
  const pools = openPools(url, { max: 2 });
  try {
    return await work(makeHouse({ config, pools, masterKey: loadMasterKey(config.MASTER_KEY, dataDir), log: pino({ level: 'warn' }) }));
  } finally {
    await pools.end();
  }
}
