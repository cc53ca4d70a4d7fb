import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { isAllowed } from '@mooring/contract/kit/permission';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';

/** Kinds whose releases the person may see. */
export const seenKinds = ({ actor }: Pick<Ctx, 'actor'>): string[] =>
  releaseKinds.filter((one) => isAllowed(actor.permissions, taskPermission(one, 'page'))).map(({ kind }) => kind);

/** Of rows `u` of releases those of such a kind. */
export const ofSeenKind = (ctx: Pick<Ctx, 'actor'>) => sql<boolean>`u.kind = any(${seenKinds(ctx)}::text[])`;
