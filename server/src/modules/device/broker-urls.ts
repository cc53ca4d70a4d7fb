import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config/config.ts';

const loopback = new Set(['127.0.0.1', 'localhost', '::1', '[::1]']);

/**
 * Where a terminal connects: as configured, else the name by which it reached us. The plain port is offered on loopback only,
 * unless MQTT_HOST opens it.
 */
export function brokerUrls(config: Config, request: Pick<FastifyRequest, 'hostname'>): { plain: string | null; tls: string | null } {
  if (config.MQTT_DEVICE_URL) {
    const secure = config.MQTT_DEVICE_URL.startsWith('mqtts:');
    return { plain: secure ? null : config.MQTT_DEVICE_URL, tls: secure ? config.MQTT_DEVICE_URL : null };
  }
  const host = request.hostname.replace(/:\d+$/, '') || 'localhost';
  const plain = loopback.has(host) || config.MQTT_HOST !== undefined;
  return { plain: plain ? `mqtt://${host}:${config.MQTT_PORT}` : null, tls: `mqtts://${host}:${config.MQTT_TLS_PORT}` };
}
