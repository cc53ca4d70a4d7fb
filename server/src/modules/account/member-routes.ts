import { inviteCalls, memberCalls } from '@mooring/contract/account/member-calls';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { startExport } from '../../platform/work/exporter.ts';
import { inviteExporter } from './invite-exporter.ts';
import { memberImport } from './member-import.ts';
import { expireInvites, inviteMember, pageInvites, withdrawInvite } from './member-invite.ts';
import { approveMember, refuseMember } from './member-join.ts';
import { countJoining, memberDetail, memberExporter, pageMembers, signInsOfMember } from './member-read.ts';
import { moveMember, moveMembers, tokensOfMember, unbindMember, unlockMember } from './member-state.ts';
import { addMember, resetMemberPassword, updateMember } from './member-write.ts';

/** People of an organisation: a part of the account module with files of its own. */
export function memberParts(app: AppContext): Required<Pick<Module, 'routes' | 'jobs' | 'exporters' | 'counts'>> {
  const imported = memberImport(openStore(app.config, app.counts), app.masterKey);
  return {
    exporters: [memberExporter, inviteExporter],
    jobs: [imported.job, expireInvites],
    counts: {
      member: { can: 'access:member:audit', count: countJoining },
      managerMember: { can: 'access:managerMember:audit', count: countJoining },
    },
    routes: [
      ...handlers(memberCalls, {
        page: pageMembers,
        detail: memberDetail,
        add: addMember(app),
        update: updateMember,
        disable: moveMember('disable'),
        enable: moveMember('enable'),
        unlock: unlockMember,
        disableMany: (ctx, { of, preview }) => moveMembers(ctx, 'disable', of, preview),
        enableMany: (ctx, { of, preview }) => moveMembers(ctx, 'enable', of, preview),
        unbindMfa: unbindMember,
        tokens: tokensOfMember,
        signIns: signInsOfMember,
        resetPassword: resetMemberPassword(app),
        approve: approveMember,
        refuse: refuseMember,
        export: (ctx, input) => startExport(ctx, memberExporter, input),
        template: (ctx, _input, wire) => imported.template(ctx, wire),
        import: imported.start,
      }),
      ...handlers(inviteCalls, {
        page: pageInvites,
        export: (ctx, input) => startExport(ctx, inviteExporter, input),
        add: inviteMember(app),
        withdraw: withdrawInvite,
      }),
    ],
  };
}
