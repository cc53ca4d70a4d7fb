import { memberCalls } from '@mooring/contract/account/member-calls';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';
import { session } from '../../kit/session.ts';

const lists = { centre: '/sys/member', manager: '/managerSys/member' } as const;

/** People by a part of account, name or e-mail, for the palette. */
export const memberFinder: PaletteSource = {
  title: 'member.title',
  call: memberCalls.page,
  find: async (text, signal) => {
    const page = await api(
      memberCalls.page,
      { criteria: { text }, page: { size: FOUND_MOST, sort: 'account', order: 'asc' } },
      { hidden: true, signal },
    );
    return page.content.map((person) => ({
      key: `member-${person.id}`,
      label: person.userName,
      note: person.account,
      icon: 'user',
      to: `${lists[session.get().platform]}?text=${encodeURIComponent(person.account)}&row=${person.id}`,
    }));
  },
};
