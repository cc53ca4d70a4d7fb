import { awsCalls } from '@mooring/contract/customer/registration';
import { sql } from 'kysely';
import type { DeptAt } from '../org/api.ts';
import { AWS_KEY, AWS_POLICY, AWS_REGION, AWS_SECRET, type Aws } from './aws.factory.ts';
import type { IotBench, Row } from './customer.factory.ts';
import { registerDue } from './register.ts';

/** What tests of terminals at AWS say again and again. */
export function awsWords(of: () => { readonly bench: IotBench; readonly aws: Aws }) {
  const bench = () => of().bench;
  const aws = () => of().aws;
  const platform = () => ({
    kind: 'aws',
    endpoint: aws().receiver.url,
    controlEndpoint: aws().receiver.url,
    ca: aws().receiver.ca,
    region: AWS_REGION,
    policy: AWS_POLICY,
    signIn: 'accessKey',
    userName: AWS_KEY,
    secret: AWS_SECRET,
  });
  let issued = 0;
  /** Terminals that have enrolled: each has a certificate. */
  async function enrolled(owner: DeptAt = bench().bank, n = 1) {
    const devices = await bench().terminals(owner, n);
    for (const { id } of devices) await certify(id);
    return devices;
  }
  const certify = (id: number) => {
    issued += 1;
    const [key, from, until] = [
      `${issued}`,
      new Date(bench().app.clock.now.getTime() + issued),
      new Date(bench().app.clock.now.getTime() + 400 * 86_400_000),
    ];
    return bench().app.context.unscoped((db) =>
      sql`insert into device_credential (device_id, serial, fingerprint, key_hash, certificate, issued_at, expires_at)
        values (${id}, ${`s${key}`}, ${`f${key}`}, ${`k${key}`}, ${`-----BEGIN CERTIFICATE-----\n${key}\n-----END CERTIFICATE-----`}, ${from}, ${until})`.execute(
        db,
      ),
    );
  };
  const register = (of: Row, ids: readonly number[]) =>
    bench().keeper.call(awsCalls.register, { customerId: of.id, of: { ids: [...ids] } });
  const states = async (of: Row) =>
    Object.fromEntries(
      (await bench().keeper.call(awsCalls.page, { criteria: { customerId: of.id }, page: { size: 200 } })).content.map((row) => [
        row.sn,
        [row.state, row.reason],
      ]),
    );
  /** Until nothing is due. */
  const work = async () => {
    while ((await registerDue(bench().app.context)) > 0) {
      /* the next ones */
    }
  };
  const ids = (devices: readonly { id: number }[]) => devices.map(({ id }) => id);
  return { platform, enrolled, certify, register, states, work, ids };
}
