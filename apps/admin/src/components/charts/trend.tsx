const WIDTH = 84;
const HEIGHT = 20;

/** A count of each of the last days as bars, oldest first; the newest is today. */
export function Trend({ days }: { days: readonly number[] }) {
  const most = Math.max(...days, 1);
  const step = WIDTH / days.length;
  const gap = Math.min(1.5, step / 3);
  const total = days.reduce((sum, count) => sum + count, 0);
  return (
    <svg
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${total.toLocaleString("en")} in ${days.length} days, ${days.at(-1) ?? 0} today`}
    >
      {days.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(2, (count / most) * HEIGHT);
        return (
          <rect
            key={day}
            x={day * step}
            y={HEIGHT - height}
            width={step - gap}
            height={height}
            rx={1}
            fill={count === 0 ? "var(--gh-border)" : "var(--gh-accent)"}
          />
        );
      })}
    </svg>
  );
}
