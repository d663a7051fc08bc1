#include <iostream>

#include <percuss/percuss.h>

int main(int, char** argv) {
  const percuss::Scene scene = percuss::load_scene(argv[1]);
  percuss::Simulation simulation(scene.model, scene.run);
  const percuss::BodyId ball = simulation.body("ball");
  const percuss::ContactId floor = simulation.find_contacts("ball", "floor").at(0);
  const percuss::Probe height = simulation.make_probe("ball.position.z");
  double lowest = simulation.gap(floor);
  while (!simulation.finished()) {
    simulation.step();
    lowest = std::min(lowest, simulation.gap(floor));
    if (height.value(simulation) != simulation.position(ball).z()) return 1;
  }
  percuss::run_to_file(scene, argv[2]);
  const percuss::ResultsReader results(argv[2]);
  if (results.column("height").back() != simulation.gap(floor) || lowest < -0.01) return 1;
  std::cout << "height " << height.value(simulation) << " m at " << simulation.time() << " s\n";
}
