interface Lease {
  ends: number;
  /** The second in which it is looked at; never after its end. */
  look: number;
}

/**
 * When leases end, in memory: a scan of the presence table each second would read a million rows to find a handful. The database
 * decides in the end, so another process that heard from the device later wins. However often a device speaks, it is held once: a lease
 * that was made longer is put off when its second comes.
 */
export function timerWheel() {
  const leases = new Map<number, Lease>();
  const slots = new Map<number, number[]>();
  const slotOf = (ms: number) => Math.floor(ms / 1000);
  const put = (id: number, lease: Lease): void => {
    lease.look = slotOf(lease.ends);
    const list = slots.get(lease.look);
    if (list) list.push(id);
    else slots.set(lease.look, [id]);
  };
  return {
    set(id: number, until: Date): void {
      const ends = until.getTime();
      const lease = leases.get(id) ?? { ends, look: Number.POSITIVE_INFINITY };
      leases.set(id, lease);
      lease.ends = ends;
      if (slotOf(ends) < lease.look) put(id, lease);
    },
    /** Devices whose latest known lease is over. */
    over(now: Date): number[] {
      const until = slotOf(now.getTime());
      const found: number[] = [];
      for (const slot of [...slots.keys()].filter((one) => one <= until)) {
        const ids = slots.get(slot) ?? [];
        slots.delete(slot);
        for (const id of ids) {
          const lease = leases.get(id);
          // One that was shortened was looked at before.
          if (lease?.look !== slot) continue;
          if (lease.ends <= now.getTime()) {
            found.push(id);
            leases.delete(id);
          } else put(id, lease);
        }
      }
      return found;
    },
    size: () => leases.size,
    /** Places that are held for looks to come. */
    looks: () => [...slots.values()].reduce((sum, ids) => sum + ids.length, 0),
  };
}
export type TimerWheel = ReturnType<typeof timerWheel>;
