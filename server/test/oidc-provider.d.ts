declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  /** Only what the tests use of it. */
  const Provider: new (issuer: string, configuration: object) => { callback(): RequestListener };
  export = Provider;
}
