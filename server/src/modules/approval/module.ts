import { absenceCalls } from '@mooring/contract/approval/absence-calls';
import { approvalCalls } from '@mooring/contract/approval/calls';
import { approvalEmailCalls } from '@mooring/contract/approval/email-calls';
import { positionOf, releaseTypes } from '@mooring/contract/engines/approval/steps';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { readingFleet } from '../../engines/rollout/fleet-turn.ts';
import type { RolloutKind } from '../../engines/rollout/task.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx } from '../../platform/context.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { absenceRoutes } from './absence-routes.ts';
import type { DeclaredApproval } from './approvable.ts';
import { auditExporter } from './audit-exporter.ts';
import { auditConfigs, rulesOf } from './config.ts';
import { detailOf } from './content.ts';
import { decideOn, passOrRefuse } from './decide.ts';
import { emailRoutes } from './email.ts';
import { extendLimit } from './extend.ts';
import { approvalFileOwners } from './files.ts';
import { forgetOver } from './forget.ts';
import { limitsJob, setDue } from './limits.ts';
import { typesSeen } from './person.ts';
import { auditFor, pageAudits, showAudit, waitingByType } from './read-audit.ts';
import { approvablesOf } from './release-subject.ts';
import { configOf, devicesOf, recordsOf } from './show.ts';
import { askAgainJob, askJobs, remindJob } from './tell.ts';

const none = { daily: 0, preset: 0 };

/** Confirming, approving and saying that the result is right have calls of their own: whoever calls one decides at its steps alone. */
function checkStep(step: string, places: readonly string[]): void {
  if (!places.includes(positionOf(step).place)) throw new Fault('BAD_INPUT', { fields: { auditStep: 'invalid.custom' } });
}

const allOf = async (ctx: Ctx) => [...(await waitingByType(ctx)).values()].reduce((all, { daily, preset }) => all + daily + preset, 0);
const countOf = (type: string) => async (ctx: Ctx) => {
  const { daily, preset } = (await waitingByType(ctx)).get(type) ?? none;
  return daily + preset;
};

/** Approval of releases in stages, and of what other domains declare: that has its screens there, and is asked for and reminded of here. */
export function makeApproval(app: AppContext, kinds: readonly RolloutKind[], declared: readonly DeclaredApproval[]): Module {
  const approvables = approvablesOf(declared);
  return {
    name: 'approval',
    resources: [auditConfigs],
    exporters: [auditExporter],
    fileOwners: approvalFileOwners,
    jobs: [...askJobs(app, approvables, setDue), askAgainJob(app, approvables), remindJob(app, approvables), limitsJob(app), forgetOver],
    counts: {
      approveFirmware: { can: 'approval:firmware:page', count: (_db, ctx) => countOf(releaseTypes.firmware)(ctx) },
      approveModule: { can: 'approval:module:page', count: (_db, ctx) => countOf(releaseTypes.module)(ctx) },
      approvePatch: { can: 'approval:patch:page', count: (_db, ctx) => countOf(releaseTypes.patch)(ctx) },
      approveList: { can: 'approval:own:page', count: (_db, ctx) => allOf(ctx) },
    },
    routes: [
      ...handlers(approvalCalls, {
        page: pageAudits,
        export: (ctx, input) => startExport(ctx, auditExporter, input),
        baseInfo: showAudit,
        detailInfo: async (ctx, input) => {
          const row = await auditFor(ctx, input);
          return ctx.readOnly((db) => detailOf(db, row, ctx.scope.path));
        },
        deviceList: (ctx, input) =>
          readingFleet(ctx.actor.userId, async () => {
            const row = await auditFor(ctx, input);
            return ctx.readOnly((db) => devicesOf(db, kinds, row, ctx.scope.path));
          }),
        result: async (ctx, input) => recordsOf(ctx.db, await auditFor(ctx, input), ctx.scope.path),
        configByTask: async (ctx, input) => {
          await auditFor(ctx, input);
          return configOf(true);
        },
        config: async (ctx, { taskType }) => {
          if (!typesSeen(ctx).includes(taskType)) throw fault('FORBIDDEN');
          return configOf((await rulesOf(ctx.db, taskType, [ctx.scope.path]))(ctx.scope.path));
        },
        auditResult: (ctx, input) => {
          checkStep(input.auditStep, ['line', 'market']);
          return passOrRefuse(ctx, input);
        },
        confirm: (ctx, input) => {
          checkStep(input.auditStep, ['confirm']);
          return passOrRefuse(ctx, input);
        },
        resultConfirm: (ctx, input) => {
          checkStep(input.auditStep, ['result']);
          return passOrRefuse(ctx, input);
        },
        returnToUpdate: (ctx, input) => decideOn(ctx, 'return', input),
        applyTrial: (ctx, input) => decideOn(ctx, 'applyTrial', input),
        applyFull: (ctx, input) => decideOn(ctx, 'applyFull', input),
        cancelTrial: (ctx, input) => decideOn(ctx, 'cancelTrial', input),
        cancelFull: (ctx, input) => decideOn(ctx, 'cancelFull', input),
        end: (ctx, input) => decideOn(ctx, 'end', input),
        extend: extendLimit(app),
        taskCount: allOf,
        maintenanceCount: async (ctx) => {
          const found = await waitingByType(ctx);
          const shape = (type: string) => {
            const { daily, preset } = found.get(type) ?? none;
            return { allCnt: daily + preset, dailyCnt: daily, presetCnt: preset };
          };
          return {
            fota: shape(releaseTypes.firmware),
            module: { allCnt: shape(releaseTypes.module).allCnt },
            patch: shape(releaseTypes.patch),
          };
        },
      }),
      ...handlers(absenceCalls, absenceRoutes(declared.map(({ can }) => can))),
      ...handlers(approvalEmailCalls, emailRoutes(app, kinds)),
    ],
  };
}
