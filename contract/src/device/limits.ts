/** Limits of the device protocol; docs/device-protocol.md and the AsyncAPI document take them from here. */
export const PROTOCOL_VERSION = 1;
/** Bytes of one message, envelope included. */
export const MESSAGE_MAX = 64 * 1024;
/** Of a hello, which names all apps; and so of any message that a broker lets through. */
export const HELLO_MAX = 128 * 1024;
export const mostBytes = (kind: string): number => (kind === 'hello' ? HELLO_MAX : MESSAGE_MAX);
export const SN = /^[A-Z0-9-]{4,32}$/;
export const MESSAGE_ID = /^[A-Za-z0-9._:-]{1,64}$/;
/** Seconds between heartbeats unless the product says otherwise. */
export const HEARTBEAT_SECONDS = 300;
/** A lease lasts so many heartbeats. */
export const LEASE_BEATS = 2.5;
/** What a last will or a closed connection leaves of a lease: a short break isn't an outage. */
export const GRACE_SECONDS = 10;
/** A certificate lives a year and is renewed after two thirds. */
export const CERTIFICATE_DAYS = 365;
export const RENEW_AFTER = 2 / 3;
/** A token stands in for a certificate on plain connections: of an enrolment, and asked for with the device's key. */
export const TOKEN_HOURS = { enrolled: 24, asked: 1 } as const;
