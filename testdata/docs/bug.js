const names = ["tea", "mug"];
const cart = { rows: {} };
for (const name of names) {
  cart.rows[name] = 1;
}
console.log(cart.totl());
