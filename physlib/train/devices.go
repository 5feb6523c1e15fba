package train

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/distributed"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/core/tensors/dtensor"
	"github.com/gomlx/gomlx/ml/model"
)

// devices are the devices that share each batch, in equal parts of its first axis. Each device
// holds all weights. XLA inserts the sums over all parts into the program (Shardy,
// https://github.com/openxla/shardy). So a step equals that of one device up to the order of sums.
type devices struct {
	n    int
	mesh *distributed.DeviceMesh
	part *distributed.ShardingSpec // sharding of a tensor of the batch
	copy *distributed.ShardingSpec // replication of a tensor on every device
}

// newDevices returns the first n devices of a backend, or nil if n is at most 1.
func newDevices(b compute.Backend, n int) (*devices, error) {
	if n <= 1 {
		return nil, nil
	}
	if have := b.NumDevices(); n > have {
		return nil, fmt.Errorf("settings: %d devices, the backend %s shows %d", n, b.Name(), have)
	}
	mesh, err := distributed.NewDeviceMesh([]int{n}, []string{"batch"})
	if err != nil {
		return nil, err
	}
	part, err := distributed.BuildSpec(mesh).S("batch").Done()
	return &devices{n, mesh, part, distributed.NewReplicatedShardingSpec(mesh)}, err
}

// count returns the number of devices. It is 1 if d is nil.
func (d *devices) count() int {
	if d == nil {
		return 1
	}
	return d.n
}

// share makes a program run on all devices. whole is the number of leading arguments that are
// replicated on every device. If parts is true, all further arguments are divided among the
// devices.
func (d *devices) share(e *model.Exec, whole int, parts bool) *model.Exec {
	if d == nil {
		return e
	}
	specs := make([]*distributed.ShardingSpec, whole)
	for i := range specs {
		specs[i] = d.copy
	}
	if parts {
		specs = append(specs, d.part) // the last spec applies to all further arguments
	}
	return e.AutoSharding(d.mesh).WithInputShardingSpecs(specs...).WithOutputShardingSpecs(d.copy)
}

// put divides a batch among the devices. The result holds the parts of the batch for the first
// device, then those for the second, and so on.
func (d *devices) put(b compute.Backend, batch []*tensors.Tensor) ([]*tensors.Tensor, error) {
	if d == nil {
		for _, t := range batch {
			if err := t.MaterializeOnDevice(b, true, 0); err != nil {
				return batch, err
			}
		}
		return batch, nil
	}
	all := make([]*tensors.Tensor, d.n*len(batch))
	for i, t := range batch {
		if rows := t.Shape().Dimensions; len(rows) == 0 || rows[0]%d.n != 0 {
			return batch, fmt.Errorf("tensor %d of a batch is %s, whose first axis %d devices cannot share; change the number of tables by --batch", i, t.Shape(), d.n)
		}
		parts, err := dtensor.ShardTensor(d.part, t)
		if err != nil {
			return batch, err
		}
		for k, x := range parts.Shards() {
			all[k*len(batch)+i] = x
			if err := x.MaterializeOnDevice(b, true, compute.DeviceNum(k)); err != nil {
				return batch, err
			}
		}
		t.FinalizeAll()
	}
	return all, nil
}

// arguments returns the arguments of a program on all devices. For each device they are the
// elements of whole, followed by the device's part of the batch from put.
func (d *devices) arguments(whole []any, batch []*tensors.Tensor) (args []any) {
	n := d.count()
	for k := range n {
		args = append(args, whole...)
		for _, x := range batch[k*len(batch)/n : (k+1)*len(batch)/n] {
			args = append(args, x)
		}
	}
	return args
}
