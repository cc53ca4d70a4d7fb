import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceMachine } from '@mooring/contract/device/state-machines';
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
      tone: deviceMachine.states[deviceMachine.byCode[device.status] ?? 'inactive'].tone,
      icon: 'device',
      to: `/device/deviceDetail/${device.id}`,
    }));
  },
};
