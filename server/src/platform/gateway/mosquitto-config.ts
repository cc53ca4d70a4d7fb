import { HELLO_MAX } from '@mooring/contract/device/limits';

/** The name under which this server joins the broker; no SN has lower case letters. */
export const SERVER_NAME = 'mooring-server';

export interface MosquittoOptions {
  readonly folder: string;
  /** Where terminals connect. */
  readonly host: string;
  readonly port: number;
  /** Where this server connects: a listener of its own, since there a client id isn't tied to the certificate. */
  readonly serverHost: string;
  readonly serverPort: number;
}

/**
 * Mosquitto for terminals with certificates: the certificate's name is the user and the client id, so nobody takes over another's
 * connection, and the topics follow from the name.
 */
export function mosquittoConfig(options: MosquittoOptions): { 'mosquitto.conf': string; acl: string } {
  const { folder, host, port, serverHost, serverPort } = options;
  const tls = [
    `cafile ${folder}/ca.pem`,
    `certfile ${folder}/broker.pem`,
    `keyfile ${folder}/broker.key`,
    `crlfile ${folder}/crl.pem`,
    'require_certificate true',
    'use_identity_as_username true',
  ];
  const conf = [
    'per_listener_settings false',
    'allow_anonymous false',
    `acl_file ${folder}/acl`,
    'persistence false',
    // Header and topic besides the largest message.
    `max_packet_size ${HELLO_MAX + 1024}`,
    'max_inflight_messages 256',
    'max_queued_messages 10000',
    // The database is the only queue: who asks to be remembered is for an hour.
    'persistent_client_expiration 1h',
    '',
    `listener ${port} ${host}`,
    ...tls,
    'use_username_as_clientid true',
    'max_qos 1',
    '',
    `listener ${serverPort} ${serverHost}`,
    ...tls,
    '',
  ];
  const acl = [
    'pattern write d/%u/up/+',
    'pattern read d/%u/down/+',
    '',
    `user ${SERVER_NAME}`,
    'topic read d/+/up/+',
    'topic write d/+/down/+',
    '',
  ];
  return { 'mosquitto.conf': conf.join('\n'), acl: acl.join('\n') };
}
