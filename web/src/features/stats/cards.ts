import { alarmCalls } from '@mooring/contract/alert/alarm';
import { mapCalls } from '@mooring/contract/device/map/map-calls';
import type { Call } from '@mooring/contract/kit/call';
import { homeCalls, statisticCalls } from '@mooring/contract/stats/calls';
import type { ComponentType } from 'react';
import type { CardSpec } from '../../kit/board/card-spec.ts';
import { AlarmsCard } from './cards/alarms-card.tsx';
import { AttentionCard } from './cards/attention-card.tsx';
import { FailuresCard } from './cards/failures-card.tsx';
import { FleetCard } from './cards/fleet-card.tsx';
import { MapCard } from './cards/map-card.tsx';
import { OnlineCard } from './cards/online-card.tsx';
import { ReleasesCard } from './cards/releases-card.tsx';
import { StatisticsCard } from './cards/statistics-card.tsx';
import { VersionsCard } from './cards/versions-card.tsx';
import { WaitingCard } from './cards/waiting-card.tsx';
import type { Asked } from './use-asked.ts';

export interface HomeCard extends CardSpec {
  /** Shown to those who may make this call; `session` is anybody's. */
  readonly call: Call | undefined;
  readonly Body: ComponentType<{ asked: Asked }>;
}

/** The cards of both platforms, in the order of who has arranged none. */
export const cards: readonly HomeCard[] = [
  { key: 'fleet', title: 'home.fleet', span: 8, call: homeCalls.fleet, Body: FleetCard },
  { key: 'attention', title: 'home.attention', span: 4, call: homeCalls.fleet, Body: AttentionCard },
  { key: 'alarms', title: 'alarm.title', span: 12, call: alarmCalls.summary, Body: AlarmsCard },
  { key: 'online', title: 'home.online', span: 8, call: homeCalls.online, Body: OnlineCard },
  { key: 'waiting', title: 'home.waiting', span: 4, call: undefined, Body: WaitingCard },
  { key: 'map', title: 'map.title', span: 12, call: mapCalls.view, Body: MapCard },
  { key: 'releases', title: 'home.releases', span: 8, call: homeCalls.releases, Body: ReleasesCard },
  { key: 'failures', title: 'home.failures', span: 4, call: homeCalls.failures, Body: FailuresCard },
  { key: 'versions', title: 'home.versions', span: 12, call: homeCalls.versions, Body: VersionsCard },
  { key: 'statistics', title: 'home.statistics', span: 12, call: statisticCalls.trend, Body: StatisticsCard },
];
