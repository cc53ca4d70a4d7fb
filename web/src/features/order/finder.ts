import { orderCalls } from '@mooring/contract/order/calls';
import { orderMachine } from '@mooring/contract/order/state-machines';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';

/** Orders by a part of their number, of the terminal's SN, or of who is asked for. */
export const orderFinder: PaletteSource = {
  title: 'menu.order',
  call: orderCalls.page,
  find: async (text, signal) => {
    const found = await api(orderCalls.page, { criteria: { text }, page: { size: FOUND_MOST } }, { hidden: true, signal });
    return found.content.map(({ id, number, sn, state }) => ({
      key: `order-${id}`,
      label: number,
      note: sn,
      icon: 'order',
      tone: orderMachine.states[orderMachine.byCode[state] ?? 'created'].tone,
      to: `/orderDetail/${id}`,
    }));
  },
};
