import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceLife } from '@mooring/contract/device/lives';
import { api } from '../../kit/client.ts';
import { FOUND_MOST, type PaletteSource } from '../../kit/palette.ts';

/** Devices by a part of SN or name, for the palette. */
export const deviceFinder: PaletteSource = {
  title: 'menu.devices',
  call: deviceCalls.page,
  find: async (text, signal) => {
    const page = await api(
      deviceCalls.page,
      { criteria: { text }, page: { size: FOUND_MOST, sort: 'sn', order: 'asc' } },
      { hidden: true, signal },
    );
    return page.content.map((device) => ({
      key: `device-${device.id}`,
      label: device.sn,
      note: device.name,
      tone: deviceLife.states[deviceLife.byCode[device.status] ?? 'inactive'].tone,
      icon: 'device',
      to: `/device/deviceDetail/${device.id}`,
    }));
  },
};
