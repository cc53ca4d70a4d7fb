/**
 * When leases end, in memory: a scan of the presence table each second would read a million rows to find a handful. The database
 * decides in the end, so another process that heard from the device later wins.
 */
export function leaseWheel() {
  const due = new Map<number, number>();
  const slots = new Map<number, number[]>();
  let next: number | undefined;
  const slotOf = (ms: number) => Math.floor(ms / 1000);
  return {
    set(id: number, until: Date): void {
      const ms = until.getTime();
      due.set(id, ms);
      const slot = slotOf(ms);
      const list = slots.get(slot);
      if (list) list.push(id);
      else slots.set(slot, [id]);
      if (next === undefined || slot < next) next = slot;
    },
    /** Devices whose latest known lease is over. */
    over(now: Date): number[] {
      const until = slotOf(now.getTime());
      const found = new Set<number>();
      for (const slot of [...slots.keys()].filter((one) => one <= until)) {
        const kept: number[] = [];
        for (const id of slots.get(slot) ?? []) {
          const ms = due.get(id);
          // A later lease has a later slot; one of this very second waits for the next turn.
          if (ms === undefined || slotOf(ms) !== slot) continue;
          if (ms <= now.getTime()) {
            found.add(id);
            due.delete(id);
          } else kept.push(id);
        }
        if (kept.length > 0) slots.set(slot, kept);
        else slots.delete(slot);
      }
      return [...found];
    },
    size: () => due.size,
  };
}
export type LeaseWheel = ReturnType<typeof leaseWheel>;
