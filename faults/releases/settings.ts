import { appPermissionCalls } from '@mooring/contract/app-permission/calls';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { androidTaskCalls } from '@mooring/contract/paramfile/android-calls';
import { paramTemplateCalls } from '@mooring/contract/paramfile/template-calls';
import type { Round, Sent } from './sent.ts';

/** What a terminal keeps of a section, as it was sent. */
const keeps = (section: string, values: object): Sent['holds'] => {
  const wanted = JSON.stringify(values);
  return ({ settings }) => JSON.stringify(settings[section]) === wanted;
};

async function appPermission(of: Round): Promise<Sent> {
  const apps = [`com.example.round${of.round}`];
  const input = { ...of.input, content: { list: 'print', apps } };
  const { id: taskId } = await of.world.console.insist(appPermissionCalls.add, input);
  return { kind: 'appPermission', taskId, holds: keeps('appPermission.print', { apps }) };
}

async function networkConfig(of: Round): Promise<Sent> {
  const ssids = [`shop ${of.round}`];
  const input = { ...of.input, content: { setting: 'wifiWhitelist', ssids } };
  const { id: taskId } = await of.world.console.insist(networkConfigCalls.add, input);
  return { kind: 'networkConfig', taskId, holds: keeps('networkConfig.wifiWhitelist', { ssids }) };
}

async function androidParam(of: Round): Promise<Sent> {
  const { console } = of.world;
  const { id: templateId } = await console.insist(paramTemplateCalls.add, {
    name: `Till ${of.round}`,
    fields: [{ key: 'host', type: 'text' }],
  });
  const values = { host: `host-${of.round}.example` };
  const { id: taskId } = await console.insist(androidTaskCalls.add, { ...of.input, content: { templateId, values } });
  return { kind: 'androidParam', taskId, holds: keeps(`androidParam.${templateId}`, { values }) };
}

export const settingReleases = [appPermission, networkConfig, androidParam];
