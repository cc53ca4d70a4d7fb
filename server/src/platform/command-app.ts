import { pino } from 'pino';
import { type AppContext, createApp } from './app-context.ts';
import { readConfig } from './config/config.ts';
import { openMasterKey } from './config/open-master-key.ts';
import { openPools } from './db/pools.ts';
import { leastTls } from './least-tls.ts';

/** What an operator's command does with the server's own parts, on an installation whose database runs. */
export async function withApp<T>({ url, dataDir }: { url: string; dataDir: string }, work: (app: AppContext) => Promise<T>): Promise<T> {
  leastTls();
  const config = { ...readConfig(process.env, []), DATA_DIR: dataDir };
  const pools = openPools(url, { max: 2 });
  try {
    return await work(createApp({ config, pools, masterKey: await openMasterKey(pools.owner, config), log: pino({ level: 'warn' }) }));
  } finally {
    await pools.end();
  }
}
