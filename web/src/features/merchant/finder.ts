import { merchantCalls } from '@mooring/contract/merchant/calls';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';

/** Merchants by a part of number or name, for the palette of those who see their page. */
export const merchantFinder: PaletteSource = {
  title: 'menu.merchant',
  call: merchantCalls.page,
  find: async (text, signal) => {
    const found = await api(merchantCalls.search, { text }, { hidden: true, signal });
    return found.slice(0, FOUND_MOST).map(({ id, number, name }) => ({
      key: `merchant-${id}`,
      label: name,
      note: number,
      icon: 'merchant',
      to: `/merchant/${id}`,
    }));
  },
};
