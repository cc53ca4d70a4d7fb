import { iotCustomerMachine } from '@mooring/contract/customer/state-machines';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';
import { readSetting } from '../../platform/settings.ts';
import { awsLine } from './aws-line.ts';
import { httpsLine } from './https-line.ts';
import type { Line, Platform } from './line.ts';
import { mqttLine } from './mqtt-line.ts';

export const customerRows = statefulTable('customer_iot', iotCustomerMachine);
export const CUSTOMERS = '/thirdServerIot';
export const MESSAGES = '/thirdServerIot/message';
const SECRET = 'iot-platform';

export const sealSecret = (app: Pick<AppContext, 'masterKey'>, secret: string): Buffer => app.masterKey.seal(SECRET, Buffer.from(secret));

/** A platform with its secret open; undefined where it is gone. */
export async function platformOf(app: AppContext, db: Db, id: number): Promise<Platform | undefined> {
  const row = await db.selectFrom('customer_iot').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const { iot: allowed } = await readSetting(db, 'outbound');
  return {
    id,
    revision: row.revision,
    kind: row.kind as Platform['kind'],
    endpoint: row.endpoint,
    region: row.region,
    controlEndpoint: row.control_endpoint,
    policy: row.policy,
    topic: row.topic,
    signIn: row.sign_in as Platform['signIn'],
    userName: row.user_name,
    certificate: row.certificate,
    ca: row.ca,
    secret: app.masterKey.open(SECRET, row.secret_sealed).toString(),
    allowed,
    now: app.now,
  };
}

const lines = { aws: awsLine, mqtt: mqttLine, https: httpsLine } as const;
export const lineTo = (platform: Platform): Line => lines[platform.kind](platform);

export async function invalidateCustomers(ctx: Pick<Ctx, 'invalidate'>, db: Db, path?: string): Promise<void> {
  await ctx.invalidate(db, CUSTOMERS, path);
  await ctx.invalidate(db, MESSAGES, path);
}
