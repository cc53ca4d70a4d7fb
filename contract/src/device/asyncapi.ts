import type { z } from 'zod';
import { schemasOf } from '../kit/json-schema.ts';
import { commandParams, thingCommandParams } from './commands.ts';
import { HELLO_MAX, MESSAGE_MAX, PROTOCOL_VERSION } from './limits.ts';
import { downMessages, Envelope, upMessages } from './messages.ts';
import { ackedKinds, type DownKind, downKinds, durableKinds, type UpKind, upKinds } from './topics.ts';

const about: Record<UpKind | DownKind, string> = {
  hello: 'After each connection, and after each change of what it says: what the terminal is and can do.',
  beat: 'The newest figures; a missing one leaves the older value. QoS 0.',
  progress: 'How far an offer is, at most once a second. The first, `received`, answers the offer.',
  result: 'How an offer ended.',
  property: 'Newest values of the thing model’s properties: all of them after each connection, and each that changed.',
  event: 'Something happened.',
  reply: 'The answer to a command, a cancel or a config, by the id of its message.',
  log: 'Lines of the log: those that a `logPull` asked for, or those that the terminal sends by itself.',
  test: 'What the terminal has found of its parts, for the command `hardwareTest`.',
  bye: 'The last will, or a leave that is meant.',
  offer: 'A task’s content for this terminal. Installed at most once for each offer id.',
  cancel: 'Give an offer up, unless it is being installed.',
  command: 'Applied once by the message’s id, and not at all after `expiresAt`.',
  config: 'The desired state with its revision.',
  ack: 'The named message is committed; stop repeating it.',
};

const delivery = (kind: string): string => {
  if (ackedKinds.includes(kind as UpKind)) return 'Repeated by the terminal until an `ack` names its id.';
  if (durableKinds.includes(kind as DownKind)) return 'Repeated by the server until the terminal answers.';
  return 'Sent once.';
};

/** What each command takes, by its name. */
const paramsOf = (schemas: ReturnType<typeof schemasOf>) =>
  Object.fromEntries(
    Object.entries({ ...commandParams, ...thingCommandParams }).map(([command, params]) => [command, schemas.json(params, 'input')]),
  );

/** AsyncAPI 3 of the device protocol, from the same schemas that the server and the agent check with. */
export function asyncApi(): object {
  const channels: Record<string, object> = {};
  const operations: Record<string, object> = {};
  const messages: Record<string, object> = {};
  const schemas = schemasOf();
  const add = (direction: 'up' | 'down', kind: UpKind | DownKind, data: z.ZodType) => {
    const name = `${direction}.${kind}`;
    messages[name] = {
      name,
      title: kind,
      summary: about[kind],
      description: delivery(kind),
      contentType: 'application/json',
      payload: { ...schemas.json(Envelope.extend({ data }), 'input'), title: kind },
      ...(kind === 'command' ? { 'x-params': paramsOf(schemas) } : {}),
    };
    channels[name] = {
      address: `d/{sn}/${direction}/${kind}`,
      parameters: { sn: { description: 'Serial number of the terminal: 4 to 32 of A-Z, 0-9 and -. Its identity decides it.' } },
      messages: { [kind]: { $ref: `#/components/messages/${name}` } },
    };
    operations[name] = {
      action: direction === 'up' ? 'send' : 'receive',
      channel: { $ref: `#/channels/${name}` },
      summary: about[kind],
      messages: [{ $ref: `#/channels/${name}/messages/${kind}` }],
    };
  };
  for (const kind of upKinds) add('up', kind, upMessages[kind]);
  for (const kind of downKinds) add('down', kind, downMessages[kind]);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Mooring device protocol',
      version: String(PROTOCOL_VERSION),
      description: `From the terminal’s side: it sends \`up\` and receives \`down\`. JSON in UTF-8, at most ${MESSAGE_MAX} bytes, a \`hello\` ${HELLO_MAX}; unknown fields are ignored. See docs/device-protocol.md.`,
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      tls: {
        host: '{host}:8883',
        protocol: 'mqtts',
        protocolVersion: '3.1.1',
        variables: { host: { default: 'localhost' } },
        security: [{ $ref: '#/components/securitySchemes/certificate' }],
      },
      plain: {
        host: '{host}:1883',
        protocol: 'mqtt',
        protocolVersion: '3.1.1',
        variables: { host: { default: 'localhost' } },
        security: [{ $ref: '#/components/securitySchemes/token' }],
      },
    },
    channels,
    operations,
    components: {
      messages,
      schemas: schemas.shared,
      securitySchemes: {
        certificate: { type: 'X509', description: 'The certificate from POST /d/enrol; its common name is the SN.' },
        token: { type: 'userPassword', description: 'User: the SN. Password: the token from POST /d/enrol or /d/token.' },
      },
    },
  };
}
