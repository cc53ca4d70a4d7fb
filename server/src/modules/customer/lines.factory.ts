import { awsLine } from './aws-line.ts';
import { httpsLine } from './https-line.ts';
import type { Outcome, Platform } from './line.ts';
import { mqttLine } from './mqtt-line.ts';

const lines = { aws: awsLine, https: httpsLine, mqtt: mqttLine } as const;

/** How a message goes over a line of its own to a platform. */
export async function sendByLine(of: Pick<Platform, 'kind' | 'endpoint' | 'allowed' | 'now'>): Promise<Outcome> {
  const rest = { region: 'a', controlEndpoint: '', policy: '', topic: 'a/{sn}', userName: 'a', certificate: '', ca: '', secret: 'a' };
  const line = lines[of.kind]({ id: 1, revision: 1, signIn: 'token', ...rest, ...of });
  const outcome = await line.send({ messageId: 'a', seq: 1, sn: 'a', product: 'a', kind: 'event', body: '{}' });
  line.close();
  return outcome;
}
