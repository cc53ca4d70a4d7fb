import type { Platform } from '@mooring/contract/kit/call';
import type { Actor, Scope } from '../context.ts';
import type { Sealing } from './read-input.ts';

/** How the tokens of other systems begin; those of sessions don't. */
export const TOKEN_PREFIX = 'mtk_';

export interface Identity {
  readonly actor: Actor;
  readonly platform: Platform;
  /** Departments that may be named in Accept-Deptid on the manager platform: own and managed. */
  readonly managed: readonly { readonly id: number; readonly path: string }[];
  /** A first or expired password: nothing but changing it is allowed. */
  readonly mustChangePassword: boolean;
  /** The policy wants a second factor and there is none: nothing but binding one is allowed. */
  readonly mustBindMfa: boolean;
  /** Registered and not let in yet: nothing but looking at one's own registration is allowed. */
  readonly mustWait: boolean;
  /** How long ago the person proved to be it; undefined where the session began without a proof. */
  readonly provedSeconds: number | undefined;
  /** Another system's key instead of a person's session: what its answers tell of its limit. */
  readonly token?: { readonly headers: Readonly<Record<string, string>> };
}

/** What the people modules tell the platform about who is at the door. */
export interface Authenticator extends Sealing {
  /** `idleSeconds`: how long the person has touched nothing; such a call does not lengthen the session. `platform`: the one that is meant, for a token that acts on both. */
  identify(token: string, ip: string, idleSeconds?: number, platform?: string): Promise<Identity | undefined>;
  /** For jobs: the same person's rights as they are now, on the platform where it was asked for; undefined when they may no longer act. */
  actorOf(userId: number, platform: Platform): Promise<Actor | undefined>;
  /** The path of a department that somebody may act for now; undefined where they may not. */
  reachOf(userId: number, deptId: number): Promise<string | undefined>;
}

/**
 * Accept-Deptid (design 2, "Who is who"): 0, on the centre only, is one's own department and all below; on the manager platform
 * exactly one own or managed organisation. Any other value is refused, never widened.
 */
export function scopeOf(identity: Identity, header: string | undefined): Scope | undefined {
  const { actor, platform } = identity;
  if (platform === 'centre')
    return header === undefined || header === '0' ? { platform, deptId: actor.deptId, path: actor.deptPath } : undefined;
  const wanted = header === undefined ? actor.deptId : /^\d{1,15}$/.test(header) ? Number(header) : Number.NaN;
  const dept = identity.managed.find((one) => one.id === wanted);
  return dept && { platform, deptId: dept.id, path: dept.path };
}
