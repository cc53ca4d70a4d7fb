import { createHash, randomBytes } from 'node:crypto';
import { ssoCalls } from '@mooring/contract/auth/sso-calls';
import type { Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx } from '../../../platform/context.ts';
import { handlers, type Route, type Wire } from '../../../platform/module.ts';
import { readSetting } from '../../../platform/settings.ts';
import { byId } from '../find-user.ts';
import { admitted, finishSignIn } from '../finish.ts';
import { consumeTicket, giveTicket } from '../tickets.ts';
import { type Claims, personOf } from './person.ts';
import { makeProvider, type SsoSetting } from './provider.ts';

const CALLBACK = '/ops/sys/login/oidc/callback';

/** Where the browser reached us, with the path prefix that stands before the base path. */
function placeOf(app: AppContext, wire: Wire): string {
  const { request } = wire;
  const prefix = request.url.slice(0, Math.max(0, request.url.indexOf('/ops/')));
  return `${(app.config.PUBLIC_URL ?? `${request.protocol}://${request.host}`).replace(/\/$/, '')}${prefix}`;
}

const COOKIE = 'mooring-sign-on';
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url');
/** What this browser was given when it began: the way back belongs to it, and to no other. */
const browserOf = (wire: Wire) => new RegExp(`(?:^|; )${COOKIE}=([\\w-]{16,64})`).exec(wire.request.headers.cookie ?? '')?.[1];
const isSame = (wire: Wire, browser: unknown) => {
  const secret = browserOf(wire);
  return secret !== undefined && hashOf(secret) === browser;
};

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
function claimsOf(setting: SsoSetting, issuer: string, told: Readonly<Record<string, unknown>>): Claims {
  const groups = told[setting.groupsClaim];
  return {
    issuer,
    subject: String(told.sub),
    email: text(told.email),
    emailVerified: told.email_verified === true,
    name: text(told.name),
    account: text(told.preferred_username),
    groups: Array.isArray(groups) ? groups.map(String).slice(0, 500) : text(groups) ? [String(groups)] : [],
  };
}

export function ssoRoutes(app: AppContext): Route[] {
  const provider = makeProvider(app);

  const start = async (ctx: Ctx, platform: Platform, wire: Wire) => {
    const { setting, config } = await ctx.unscoped(provider);
    const oidc = await import('openid-client');
    const [verifier, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomNonce()];
    const secret = browserOf(wire) ?? randomBytes(24).toString('base64url');
    const state = await ctx.unscoped((db) => giveTicket(db, 'oidc', null, { verifier, nonce, platform, browser: hashOf(secret) }));
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: `${placeOf(app, wire)}${CALLBACK}`,
      scope: setting.scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const place = new URL(placeOf(app, wire));
    // Lax: it comes back with a navigation from the provider.
    const cookie = `${COOKIE}=${secret}; Path=${place.pathname.replace(/\/$/, '')}/ops/sys/login; HttpOnly; SameSite=Lax; Max-Age=900`;
    return wire.reply
      .header('cache-control', 'no-store')
      .header('set-cookie', place.protocol === 'https:' ? `${cookie}; Secure` : cookie)
      .redirect(url.href, 302);
  };

  /** A ticket that the console changes into a session; the address alone opens nothing for long. */
  async function arrive(ctx: Ctx, input: { state?: string | undefined; error?: string | undefined }, wire: Wire): Promise<string> {
    const flow = input.state === undefined ? undefined : await ctx.unscoped((db) => consumeTicket(db, 'oidc', input.state ?? ''));
    if (!flow || !isSame(wire, flow.data.browser) || input.error !== undefined) throw new Fault('SSO_REFUSED');
    const { setting, config } = await ctx.unscoped(provider);
    const { verifier, nonce, platform } = flow.data as { verifier: string; nonce: string; platform: Platform };
    const here = new URL(`${placeOf(app, wire)}${CALLBACK}${wire.request.url.slice(wire.request.url.indexOf('?'))}`);
    const { authorizationCodeGrant } = await import('openid-client');
    const tokens = await authorizationCodeGrant(config, here, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: input.state ?? '',
      idTokenExpected: true,
    }).catch((error: unknown) => {
      ctx.log.warn({ error: String(error) }, 'the identity provider’s answer was refused');
      throw new Fault('SSO_REFUSED');
    });
    const told = tokens.claims();
    if (!told) throw new Fault('SSO_REFUSED');
    return ctx.unscoped(async (db) => {
      const user = await personOf(db, setting, claimsOf(setting, told.iss, told));
      if (!(await admitted(db, user, ctx.now()))) throw new Fault('SSO_REFUSED');
      return giveTicket(db, 'oidcDone', user.id, { platform, browser: flow.data.browser }, 2);
    });
  }

  return handlers(ssoCalls, {
    config: async (ctx) => {
      const setting = await readSetting(ctx.db, 'singleSignOn');
      return { enabled: setting.enabled, name: setting.enabled ? setting.name : '' };
    },
    start: (ctx, { platform }, wire) => start(ctx, platform, wire),
    callback: async (ctx, input, wire) => {
      let query: URLSearchParams;
      try {
        query = new URLSearchParams({ sso: await arrive(ctx, input, wire) });
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        query = new URLSearchParams({ ssoError: error.fault });
      }
      return wire.reply.header('cache-control', 'no-store').redirect(`${placeOf(app, wire)}/login?${query}`, 302);
    },
    finish: async (ctx, { ticket }, wire) => {
      const taken = await ctx.unscoped((db) => consumeTicket(db, 'oidcDone', ticket));
      const user = taken?.userId ? await ctx.unscoped((db) => byId(db, taken.userId ?? 0)) : undefined;
      const allowed = user && isSame(wire, taken?.data.browser) && (await ctx.unscoped((db) => admitted(db, user, ctx.now())));
      if (!allowed) throw new Fault('SSO_REFUSED');
      const session = await finishSignIn(ctx, {
        user: allowed,
        platform: taken?.data.platform as Platform,
        userAgent: String(wire.request.headers['user-agent'] ?? ''),
        proof: true,
      });
      if (!session) throw new Fault('SSO_REFUSED');
      return session;
    },
  });
}
