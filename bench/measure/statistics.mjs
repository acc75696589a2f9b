/** The middle value; the mean of the two middle ones of an even number. */
export function median(values) {
  return quantile(values, 0.5);
}

/** The value below which `share` (0 to 1) of the values lie, interpolated. NaN without values. */
export function quantile(values, share) {
  if (values.length === 0) return Number.NaN;
  const sorted = Float64Array.from(values).sort();
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  return below + (sorted[Math.ceil(place)] - below) * (place - Math.floor(place));
}

/** Median with the extremes beside it: one number alone hides how noisy a machine was. */
export function summary(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** 1 for linear, 2 for quadratic: the slope between two sizes on a doubly logarithmic scale. */
export function growthExponent(smaller, larger) {
  return Math.log(larger.cost / smaller.cost) / Math.log(larger.size / smaller.size);
}
