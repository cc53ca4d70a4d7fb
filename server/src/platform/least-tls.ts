import tls from 'node:tls';

/** Whatever speaks TLS in this process, listening or asking, and whatever NODE_OPTIONS says. */
export function leastTls(): void {
  tls.DEFAULT_MIN_VERSION = 'TLSv1.2';
}
